"""Commands about who sits where: coming, going, passwords, addresses."""
