"""Which letters go out at once, which wait for a digest, and which not at all."""
