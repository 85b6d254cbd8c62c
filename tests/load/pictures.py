"""Statistics on the pictures of a full hour."""

from judge.model.letter import PictureFormat, PictureState
from judge.store.database import Store
from judge.store.schema import OUTGOING, PICTURES
from judge.store.table import Rows


def told_of_pictures(store: Store, after: int) -> str:
    """Return a sentence on the pictures of letters with numbers above `after`."""
    pictures = Rows(store, PICTURES).select("key, form, state, since, finished", "TRUE")
    forms = {key: form for key, form, *_ in pictures}
    took = {
        key: (finished - since).total_seconds()
        for key, _, state, since, finished in pictures if state is PictureState.DRAWN
    }
    drawn = {*took}
    letters = [
        {place.key for place in places}
        for (places,) in Rows(store, OUTGOING).select("places", "id > ?", after) if places
    ]
    wanted = {key for keys in letters for key in keys}
    whole = {key for key in wanted if forms.get(key) is not PictureFormat.FRONT}
    without = [keys for keys in letters if not drawn.issuperset(keys)]
    no_board = [keys for keys in letters if not drawn.issuperset(whole.intersection(keys))]
    share = 100 / max(len(letters), 1)
    return (
        f"pictures: {len(letters)} letters with {sum(map(len, letters))} places for {len(wanted)}"
        f" pictures, {len(wanted & drawn)} of them drawn, each once ({len(whole & drawn)} of"
        f" {len(whole)} whole boards), the slowest after {max(took.values(), default=0):.0f} s;"
        f" {share * len(without):.1f} % of the letters went without one"
        f" of theirs, {share * len(no_board):.1f} % without the whole board"
    )
