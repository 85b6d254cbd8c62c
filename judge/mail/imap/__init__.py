"""IMAP client: the mailbox that mail is fetched from, and its password."""
