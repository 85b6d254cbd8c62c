"""How many pictures somebody is drawn who asks for them: each takes time that others wait.

Results and the letter that starts a game are not asked for; their pictures are not counted.
"""

MOST_TO_PERSON = 20
"""Pictures an hour to somebody who has signed on, at all seats together."""
