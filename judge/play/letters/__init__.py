"""Letters: facts, boards, anonymity, subjects, and replies to questions."""
