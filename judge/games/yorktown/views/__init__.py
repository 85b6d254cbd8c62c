"""What readers see of a game of Yorktown: reports, receipts, boards in text and pictures."""
