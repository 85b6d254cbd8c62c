"""Running judge: incoming mail, games and outgoing letters.

Only this layer wires the parts of the others.

`judge serve` is one process with three main threads: the listener (asyncio), whose writer stores
incoming mail; the worker, which processes mails in the order of their 250s and then due games; and
the delivery loop. Each mail and each due game is one transaction with all letters it causes.

A broad `except Exception` surrounds one mail, one letter or one game. An internal error stops only
that one, is reported to the operator, and the next one is processed. Other broad handlers surround
only third-party code: a library that reads arbitrary input, or a game system (`plugins`,
`games/contract`).
"""
