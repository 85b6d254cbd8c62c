"""What goes out: facts for letters, boards in them, who may see what, answers to questions."""
