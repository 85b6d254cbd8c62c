"""Commands of masters, and settings."""
