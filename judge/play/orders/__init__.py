"""What players command: orders now and ahead, units lent to others, lists and previews."""
