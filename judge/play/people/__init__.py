"""People: admission, seats, passwords, addresses, sitters and the standby list."""
