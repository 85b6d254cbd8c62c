"""A seat's password: changed by whoever gives the old one, or with the registered mailbox as proof.

A reply address alone does not change one: it may have got into other hands, and From lines are
easily forged. Then, as after RESET PASSWORD, the registered address and nobody else is sent a
letter whose answer may set a new password, once. A seat that has none gets its first by any reply.
"""

LOST, UNPROVEN, TAKEN_BACK, SEVERAL = "lost", "unproven", "taken-back", "several"
"""Why a letter goes out that asks for a new password."""
