"""What is made of games that are over: results, ratings, figures."""
