"""Connected pieces of equal pixels."""

import numpy as np
import numpy.typing as npt

Labels = npt.NDArray[np.int32]


def pieces_of(labels: Labels) -> Labels:
    """Return for each pixel the number of its piece: equal pixels joined by their sides.

    >>> pieces_of(np.array([[1, 1, 2], [2, 1, 2]], np.int32)).tolist()
    [[0, 0, 1], [2, 0, 1]]
    """
    starts = np.ones(labels.shape, bool)
    starts[:, 1:] = labels[:, 1:] != labels[:, :-1]
    runs = (np.cumsum(starts.ravel()) - 1).reshape(labels.shape)
    above, below = runs[:-1], runs[1:]
    same = labels[:-1] == labels[1:]
    pairs = np.unique(np.stack([above[same], below[same]], 1), axis=0)
    parent = list(range(int(runs.max()) + 1))
    for one, other in pairs.tolist():
        root, other_root = _root(parent, one), _root(parent, other)
        if root != other_root:
            parent[max(root, other_root)] = min(root, other_root)
    roots = np.array([_root(parent, run) for run in range(len(parent))])
    _, numbers = np.unique(roots, return_inverse=True)
    found: Labels = numbers.reshape(-1)[runs].astype(np.int32)
    return found


def _root(parent: list[int], run: int) -> int:
    while parent[run] != run:
        parent[run] = parent[parent[run]]
        run = parent[run]
    return run
