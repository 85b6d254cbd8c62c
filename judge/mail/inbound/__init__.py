"""A stored mail, read: its parts, its text without quotes, who wrote it, what no person wrote."""
