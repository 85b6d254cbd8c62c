"""Tables that replace free words with words of the grammar.

Each row is a pattern and its replacement. The rows of a table are applied one after the other.
"""

from collections.abc import Sequence

from judge.games.yorktown.language.names import ANY_TYPE

SIDE = (
    "north-?east|north-?west|south-?east|south-?west|north|south|west|east|ne|nw|se|sw|n|s|w|e"
)
UNIT = r"(?:(?:inf|cav|art|pio|cmd|frig) [0-9]{1,2})"
UNITS = rf"{UNIT}(?:(?: and| &)? {UNIT})*"
HEXES = r"[0-9]{4}(?:[- ]+[0-9]{4})*"
WORDS: Sequence[tuple[str, str]] = (
    (r"['’‘]", ""),
    (r"^(?:(?:die|der|das|den|meine?|unsere?)\b )+", ""),
    (r"\bgarden?\b", "guards"),
    (r"\bj(?:ä|a|ae)gers?\b", "jaegers"),
    (r"\b(?:mit )?(?:front|blick|richtung)(?: nach)? (?=(?:nord|s[uü]e?d|ost|west|ne|nw|se|sw|n|s|"
     r"w|e)(?:ost(?:en)?|west(?:en)?|en)?$)", "face "),
    (r"^(?:(?:i|we|ill|id|well|wed|lets?|will|shall|want|like|would|both)\b(?! ?[0-9])(?: to\b)? ?"
     r")+", ""),
    (rf"^(?:moves?|bring|send|march|advance|get|have|order|pull|push)\b (?=(?:{ANY_TYPE})\b)", ""),
    (r"(?<=[\w]) (?:should|shall|must|will|may|can|is to|are to|has to|have to|to go and) ", " "),
    (r" (?:now|then|today|again|afterwards|after that|after|for now|for the moment|"
     r"together|jointly)$", ""),
    (r"(?<=[0-9])\s*\+\s*(?=[a-z])", " and "),
    (r"(?<=redoubt) (?:where|right) (?:(?:it|he|they) )?(?:is|are|stands?|here|there)$", ""),
    (r"\b(holds?|waits?|stays?) (?:off|outside)(?: of)? (?:the )?(?:map|board)$", r"\1"),
    *(
        (rf"\b(?:{word}|{number}) (?:hex(?:es)?|steps?) (?:ahead|forwards?|straight on)\b",
         f"ahead {number}")
        for number, word in enumerate("one two three four five six seven eight".split(), 1)
    ),
    *(
        (rf"\b(ahead|forwards?|straight on)(?: for)? (?:{word}|{number})\b(?: hex(?:es)?| steps?)?",
         f"ahead {number}")
        for number, word in enumerate("one two three four five six seven eight".split(), 1)
    ),
    (r"\b(?:bow|stern)(?: (?:at|in))? (?=[0-9]{4})", ""),
    (r"\b(?:anchors?|moors?|lies|garrisons?|defends?|occup(?:y|ies)|takes? post)(?: (?:at|in|on))? "
     r"(?=[0-9]{4})", "at "),
    (r"\b(?:evacuates?|abandons?|leaves?|quits?) [0-9]{4}(?: and)?(?: (?:goes|moves?|marches))? "
     r"(?:for|to) (?=[0-9]{4})", "to "),
    (r"\b(?:sall(?:y|ies)(?: out)?|makes? a sortie|strikes?)(?: (?:against|at|on))? (?=[0-9]{4})",
     "attack "),
    (r"\b(?:escapes?|breaks? out)(?: (?:by|via|over|to|at|the|map))* ", "exit "),
    (r"\bfrom (?=[0-9]{4}[- ]+to[- ]+[0-9]{4})", ""),
    (r"\b(north|south) (?=(?:east|west)\b)", r"\1-"),
    (r"^retreats? orders? (?:for|of) ", "retreat "),
    (r"^(?:concentrate|direct|focus)(?: (?:all|the|our|my))* (?:fire|guns?|artillery)(?: fire)? "
     r"(?:on|at|upon) ", "all artillery fires at "),
    (r"\bopens? fire (?:on|at|upon) ", "fires at "),
    (r"\b(?:(?:that|which) (?:are|is) )?(?:in|within) range(?: of (?:it|them|[0-9]{4}))?\b", " "),
    (r"\b(?:in)?to (?:the )?(?:town|roads?|woods?|marsh|shore|crossroads?|junction|hill|bridge|"
     r"clearing|field) "
     r"(?:at|in|on|near|by) (?:hex )?(?=[0-9]{4})", "to "),
    (r"\b(?:holds?|stays?|keeps?)(?: to)?(?: (?:its|their|his|our|the))? "
     r"(?:ground|positions?|lines?|posts?|place)$", "holds"),
    (r"\bholds? (?:fast|firm|steady|on|here|there|still)$", "holds"),
    (r"\bstays? (?:put|here|there|still|quiet|silent|in place|in position|as (?:it|he) is|"
     r"where (?:it|he|they|she) (?:is|are))$", "stays"),
    (r"\b(?:stays?|holds?)(?: (?:and|but|there|here))* (?=(?:turns?|fac(?:es?|ing)|looks?)\b)", ""),
    (r"(?<=[0-9a-z])(?<!fall)(?<!falls) (?:goes |go |moves? |comes? |march(?:es)? |pulls? |gets? |"
     r"rolls? |rides? |pushes |push |slips? )?"
     r"(?:back|forwards?|up|down|over|across|out|ahead|onwards?)(?: (?:on|in))?(?: to)? "
     r"(?=[0-9]{4})", " to "),
    (r"\bnord(?:en)?(?=$|ost|west)", "north"),
    (r"\bs[uü]e?d(?:en)?(?=$|ost|west)", "south"),
    (r"(?<=north)ost(?:en)?$|(?<=south)ost(?:en)?$|\bosten$|\bost$", "east"),
    (r"westen$", "west"),
    (r"\b(?:geht|gehen|zieht|ziehen|marschiert|marschieren) (?=(?:nach|auf|in|zu)\b)", ""),
    (r"(?<=[0-9a-z]) (?:nach|zu) (?=[0-9]{4})", " to "),
    (r"\b(?:h(?:ä|a|ae)lt|halten|bleibt|bleiben|wartet|warten)(?: (?:stehen|hier|dort))?$",
     "holds"),
    (r"\bgreif(?:t|en) (.*[0-9]{4}) an\b", r"attack \1"),
    (r"\b(?:dreht|drehen|schaut|schauen)(?: sich)?(?: nach)? (?=(?:north|south|ne|nw|se|sw|n|s)\b)",
     "face "),
    (r"(?<=[a-z]) zu (?=[a-z])", " to "),
    (r"\bbleibt bei (?![0-9])", "with "),
    (r"(?<=[0-9a-z]) (?:auf|bei) (?=[0-9]{4})", " at "),
    (r"[*_!\"“”„\[\]{}]+", " "),
    (r"(?<=[0-9])\s*[/>~]+\s*(?=[0-9])", "-"),
    (r"#\s*(?=[0-9])|\b(?:no|nr|number) (?=[0-9]{1,2}(?![0-9]))", ""),
    (r"^(?:(?:my|our|please|pls|then|now|also|and|orders?|day [0-9]{1,2}|the|bitte)\b[ :]*)+", ""),
    (r"\b(?:please|pls|bitte|the)\b", " "),
    (r"^(attack|assault|storm|retreats?|losses|hit)\s*:", r"\1"),
    (r"(?<=[0-9]{4})\)? (?:and|then)(?: then)? (?:advances?|follows? up|moves? in|goes in|"
     r"(?:occup(?:y|ies)|takes?) it)$", " advance"),
    (r"\b(?:(?:one|a|two|three|some|few) )?(?:hex(?:es|agon|field)?|steps?)\b", " "),
    (r"\b(?:leaves?|exits?|quits?) (?:the )?(?:map|board)\b", "exit"),
    (r"\bexits? (?:(?:at|by|via|on|over|off|from|to|the) )+", "exit "),
    (rf"\bexit ({SIDE})(?:ern)? (?:edge|side|border)\b", r"exit \1"),
    (r"\b(?:marches|march|comes|come|walks|moves|move|goes|go) (?:on|in|into|onto)(?: map| board)?"
     r"(?: (?:at|by|via|in|from|on|through))?(?= [0-9])", "enters"),
    (r"\benters?(?: the)?(?: map| board)?(?: (?:at|by|via|in|from|on|through))? (?=[0-9])",
     "enters "),
    (r"\b(?:shoots?|bombards?|shells?|cannonades?|batters?|targets?|aims?)\b", "fires"),
    (r"\b(fires?)(?: at| on| upon)? (?:(?:enemy|enemies|the) )*(?:frigates?|ships?|units?|troops|"
     r"men|infantry|cavalry|redoubt|fort|works?) (?:in|at|on) (?=[0-9]{4})", r"\1 at "),
    (r"\bfir(?:es?|ing) (?:(?:at|on|upon|into|enemy|enemies|guns?|battery|in|twice) )+", "fire "),
    (r"\b(?:digs?|entrench(?:es)?)(?: in)? (?=(?:in|at|on) [0-9]{4}$)", "builds redoubt "),
    (r"\b(?:stands?|remains?|waits?|rests?) (?=(?:in|at) [0-9]{4}$)", "holds "),
    (r"\b(?:dig|digs|digs? in|entrench(?:es)?|digs? (?:a )?redoubts?)$", "builds redoubt"),
    (r"\b(?:builds?|constructs?|makes?|places?|throws? up|raises?|digs?|starts?|"
     r"erects?) (?:(?:a|the|new) )*(?:redoubts?|fort|works?|entrenchment)(?: here)?",
     "builds redoubt"),
    (r"\bstays? behind$", "stays"),
    (r"\b(?:takes? command of|transfers? to|(?:arrives?|comes?|travels?) with)\b", "with"),
    (r"\b(?:joins|join|accompan(?:ies|y)|rides? with|goes with|go with|moves? with|marches with|"
     r"(?:stays?|remains?) with|attach(?:es|ed)? to|leads?|stacks? with|joins? up with)\b", "with"),
    (r"\b(?:embarks?|(?:goes|go|gets?) aboard|boards?)(?: (?:on|onto|into|the|in))*\b", "boards"),
    (r"\b(?:disembarks?|debarks?|lands?|goes ashore)(?: (?:at|in|on|onto|to))*\b", "lands"),
    (r"\b(?:stands?|remains?|waits?|stays? put|stands? fast|does nothing|halts?|rests?)"
     r"(?: (?:put|fast|still|here|there|where (?:it|he) is))*$", "holds"),
    (r"\b(?:turns? to|turns?|looks?|fronts?|facing towards?|faces? towards?|front to)"
     r"(?: (?:face|to|towards?))* "
     rf"(?=(?:{SIDE})\b)", "face "),
    (rf"\bfac(?:e|es|ing)(?: (?:to|the|towards?))+ (?=(?:{SIDE})\b)", "face "),
    (r"(?<=[0-9a-z]) towards? (?=[0-9]{4})", " to "),
    (rf"(?<=[0-9]) (?:towards?) (?=(?:{SIDE})$)", " face "),
    (r"\b(?:assaults?|storms?|charges?|attacking|attacks)\b", "attack"),
    (r"\battack (?:(?:the|enemy|enemies|unit|units|in|at|on|into) )+(?=[0-9])", "attack "),
    (r"(?<=[0-9]) (?:using|by|from) (?=(?:inf|cav|pio) )", " with "),
    (r"\b(?:retires?|falls? back|withdraws?|retreats?)(?: (?:to|into|towards?))*\b", "retreat"),
    (r"(?<=[0-9]{4})[- ]+(?:(?:to|via|through|then|and|over|by|goes|go|moves?|march(?:es)?|on|"
     r"along|roads?|onwards?|further|continues?|proceeds?|walks?)[- ]+)+(?=[0-9]{4})", "-"),
    (r"\b(?:march(?:es)?|moves?|walks?|goes|go|proceeds?|heads?|advances?|runs?|rides?|rolls?|"
     r"gallops?|trots?|scouts?|crosses|shifts?|slides?|returns?|redeploys?|hurr(?:y|ies)|"
     r"limbers? up and (?:moves?|goes|go)|limbers? up)(?: (?:on|along|over|via|for|by|road))*"
     r"(?: (?:to|towards?|into|in))?[- ](?=[0-9])", "to "),
    (r"(?<=[0-9a-z])[ :-]+to[ -]+(?=[0-9]{4})", " to "),
    (r"(?<= [0-9])-(?=[0-9]{4})|(?<= [0-9][0-9])-(?=[0-9]{4})", " "),
    (r"(?<=[0-9a-z]) (?:into|too) (?=[0-9]{4})", " to "),
)
"""Patterns of free words → words of the grammar."""
WORDS_AFTER_NAMES: Sequence[tuple[str, str]] = (
    (r"\bto to\b", "to"),
    (r"^(?:all|everybody|everyone|everything|every unit|all (?:units|troops)) retreat ",
     "retreat all "),
    (r"^retreat all (?:units |troops |men |of them )*(?:to )?", "retreat all "),
    (rf"^(?:leave|keep) ({UNITS}) (?:where (?:it|they|he) (?:is|are)|here|there)$", r"\1 holds"),
    (rf"^attack ({HEXES}) \(({UNITS})\)$", r"attack \1 with \2"),
    (rf"^({UNITS}) with ({UNITS}) attack ", r"\1 \2 attack "),
    (rf"^(cmd [0-9]+) with ({UNIT}) (?=(?:in|at|to) [0-9]{{4}})", r"\2 \1 "),
    (rf"^({UNIT}) (.*[0-9]{{4}}) with (cmd [0-9]+)$", r"\1 \3 \2"),
    (rf"({UNIT}) (?:men|troops|party|company|crew|{ANY_TYPE}|brigade|division|corps|"
     r"militia|light infantry)\b(?! [0-9])", r"\1"),
    (rf"({UNIT}) \(?\1\)?(?![0-9])", r"\1"),
    (rf"^(cmd [0-9]+)(?: (?:leaves? {UNIT}|rides?|moves?|goes|go|over|and|then|returns?))* "
     rf"(?:to|with|joins?) ({UNIT})$", r"\1 with \2"),
    (rf"^({UNIT}) with (cmd [0-9]+) to (?=[0-9]{{4}})", r"\1 \2 to "),
    (rf"^retreat ({UNIT}) ?: ?", r"retreat \1 to "),
    (r"^hit (cmd [0-9]+) ?: ?", r"hit \1 leave "),
    (rf"^({UNITS}) attack ({HEXES})(?: together| along| jointly)? (?:with|and) ({UNITS})\b",
     r"attack \2 with \1 \3"),
    (rf"^(.*?\battack .*?)(?:and |then )*\b({UNIT})(?: and ({UNIT}))? "
     r"(?:moves? in|follows? up|goes in|occup(?:y|ies) it|takes? it|"
     r"advances?)$", r"\1advance \2 \3"),
    (rf"\bfires? (?:at )?({UNIT}) (?:in|at) ([0-9]{{4}})$", r"fires at \2 \1"),
)
"""Replacements of words next to units, which have their numbers by then."""
SHIP_WORDS: Sequence[tuple[str, str]] = (
    (r"\b(?:sails?|moves?|steers?|goes|go|then|and)\b", " "),
    (r"\b(?:forwards?|ahead|straight on|straight)(?: for)?\b", "f"),
    (r"\bf ([0-9]{1,2})\b", r"f\1"),
    (r"\b(?:turns? |to )*(?:left|port)\b", "l"),
    (r"\b(?:turns? |to )*(?:right|starboard)\b", "r"),
    (r"\bfires? (?:at )?", "fire "),
    (r"\b(?:fire ([0-9]{4})) twice\b", r"fire \1 fire \1"),
)
