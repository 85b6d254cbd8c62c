"""The language of orders: lines as players type them, read, repaired, and given a verdict each."""
