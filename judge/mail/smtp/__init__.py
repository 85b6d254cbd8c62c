"""The SMTP server: accepted messages, limits and replies (RFC 5321)."""
