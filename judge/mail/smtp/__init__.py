"""The SMTP server: what it takes, from whom, and what it answers (RFC 5321)."""
