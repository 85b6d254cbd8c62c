"""Views of Yorktown for players: reports, receipts, text boards and pictures."""
