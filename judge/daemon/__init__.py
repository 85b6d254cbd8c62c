"""The running judge: mail in, games moved on, letters out. Floor 4, the only one that wires.

One process, three threads of work: the door (asyncio) with the writer that stores what arrives;
the worker, which works mails in the order of their 250s and then attends to due games; the sender.
Each mail and each due game is one transaction with all letters it causes. A broad
`except Exception` stands around one mail, one letter or one game: our own fault stops that one, is
told to the keeper, and the next one goes on. Others stand only where code of somebody else is run:
a library that reads what anybody may send, or a game system (`plugins`, `games/contract`).
"""
