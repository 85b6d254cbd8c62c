"""Commands that request information."""
