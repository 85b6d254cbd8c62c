"""The table of commands: each stands there once, with all that is to be known of it."""
