"""What a program gave us that cannot be, in words that say which part of it."""


class InputError(ValueError):
    """A map, option, power, unit, place, phase or order that cannot be: the message says which."""
