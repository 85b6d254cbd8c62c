"""Times: when phases end, and what a mail means by an instant or a span."""
