"""The rules of Yorktown: positions and orders in, positions and what happened out."""
