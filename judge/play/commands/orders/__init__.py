"""Commands about orders and votes."""
