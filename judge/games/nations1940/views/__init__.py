"""Views of a game of Nations 1940: facts for letters, and pictures."""
