"""How many statements to the database one mail and one deadline may cost."""

import pytest

from tests.weight import Weight, deadline, late_deadline, order_mail

pytestmark = pytest.mark.sqlite


@pytest.fixture(scope="module")
def ordered() -> Weight:
    """What a mail weighs that signs on and orders three units."""
    return order_mail()


def _holds(weight: Weight, most: int, most_inside: int) -> None:
    """Fail, and list the statements, where there are more than so many."""
    many = weight.many, weight.inside.total()
    assert many[0] <= most and many[1] <= most_inside, f"{many} statements:\n{weight.listed}"


def test_a_mail_with_orders_costs_few_statements(ordered: Weight) -> None:
    """It signs on and orders three units; from the look at the queue to the receipt."""
    _holds(ordered, 20, 13)


def test_a_deadline_costs_few_statements_however_many_read_of_it() -> None:
    """The seats are saved together."""
    _holds(deadline(), 31, 26)


def test_a_deadline_that_finds_everybody_late_costs_few_statements() -> None:
    """So does the end of their grace, with an event for each of ten who are missing."""
    late, over = late_deadline()
    _holds(late, 20, 15)
    _holds(over, 46, 41)


def test_what_grows_is_told_by_its_statements(ordered: Weight) -> None:
    with pytest.raises(AssertionError, match=r'INSERT "orders"'):
        _holds(ordered, ordered.many - 1, ordered.many)
