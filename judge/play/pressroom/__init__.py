"""Letters between players: whom they are for, as whose they are shown, and when."""
