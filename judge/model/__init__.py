"""The model: the values everybody here uses, frozen. Floor 0: imports nothing of ours but itself.

Glossary (one word, one meaning):

power       a side on the board; *seat*: its place in a game; *player*: its person;
            *master*: the game master (GM); *observer*: only reads
place       where a unit stands: a province ("Bur") or one of its coasts ("StP/nc")
order       to a unit (hold, move, support, convoy, retreat, disband, build, waive);
            *command*: to the judge (JOIN, PRESS, PROCESS)
unreadable  the grammar says no; *illegal*: the rules say no; *failed*: legal, did not succeed
adjudicate  decide a phase by the rules; *resolver*: the clock-driven job that has it done
dislodged   must retreat; *contested*: closed to retreats after a standoff
phase       what is ordered in now (S1901M); *turn*: its written history;
            *deadline*: a UTC instant; *NMR*: no moves received by the end of grace
phrase      a sentence for people as data: code and facts; *complaint*: one about a player's line
letter      what we send; *incoming*: what we got; *press*: player to player through the judge
"""
