"""Rules of Yorktown: adjudication of positions and orders."""
