"""Exception for impossible input from a program."""


class InputError(ValueError):
    """Raised for an impossible map, option, power, unit, place, phase or order.

    The message names it.
    """
