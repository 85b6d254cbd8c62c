"""Commands about seats and their people: join, leave, passwords, addresses."""
