"""Who: signing on and leaving, seats and their passwords, addresses, sitters, standby, watchers."""
