"""Commands that ask for something."""
