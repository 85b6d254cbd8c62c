"""PostgreSQL server restarted under running judges: 451, then replies."""

import smtplib
from collections import Counter
from contextlib import closing
from pathlib import Path

import pytest

from judge.store.database import Store
from tests import postgres
from tests.daemon.test_on_postgres import OnServer, send, until
from tests.machine import ON_POSTGRES

pytestmark = ON_POSTGRES


@pytest.mark.slow
def test_mail_gets_451_while_the_server_is_down_then_one_reply(
    tmp_path: Path,
) -> None:
    server = postgres.Cluster().make()
    try:
        url = postgres.judge_url(server.url)
        with OnServer(tmp_path / "one", url) as one, OnServer(tmp_path / "other", url) as other:
            for number in range(6):
                send((one, other)[number % 2], number)
            server.stop()
            for judge in (one, other):
                with pytest.raises(smtplib.SMTPResponseException) as refused:
                    send(judge, 99)
                assert refused.value.smtp_code == 451
            server.start()
            for number in range(6, 12):
                send((one, other)[number % 2], number)
            with closing(Store(url)) as store:
                asked = "SELECT COUNT(*) FROM outgoing WHERE state = 'sent'"
                until(lambda: store.select_sql(asked, ()) >= [(12,)])
                answers = Counter(to for (to,) in store.select_sql('SELECT "to" FROM outgoing', ()))
                assert answers == {f"p{number}@example.org": 1 for number in range(12)}
                assert store.select_sql("SELECT COUNT(*) FROM mails", ()) == [(12,)]
    finally:
        server.end()
