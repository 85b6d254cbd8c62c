"""Orders: filed, shown, cleared; WAIT and READY."""

OLDER = "older-order-stands"
"""The reason that says so where a line was refused and the unit has an order from before."""
NOT_FILED = frozenset({
    "orders-for-no-phase", "orders-of-earlier-phase", "orders-of-undone-phase",
    "looks-like-later", "looks-like-next", "if-not-closed", "master-plays-too",
})
"""Reasons that keep whole lines of orders out, whatever stands in them."""
