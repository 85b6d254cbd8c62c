"""One worker or resolver in a process: `python -m tests.load.hand work URL`.

It prints that it is ready, waits for a line, and does all the work there is.
"""

import sys

from judge.clock import SystemClock
from judge.config import Config, PolicySection, StoreSection
from judge.daemon.application import open_application
from judge.daemon.resolver_loop import ResolverLoop
from judge.daemon.worker import Worker
from tests.outbox import next_new


def main() -> None:
    """Run the worker or resolver until its work is done."""
    kind, url = sys.argv[1:]
    config = Config(store=StoreSection(url), policy=PolicySection(press_per_day=10**6))
    application = open_application(config, SystemClock(), create=False)
    resolving = ResolverLoop(application)
    worker = Worker(application, resolving)
    worker.warm_up()
    print("ready", flush=True)
    sys.stdin.readline()
    if kind == "work":
        while next_new(application.post) is not None:
            worker.work_one()
    else:
        while resolving.tick(now := application.clock.now()) or application.resolver.due(now):
            pass
    application.store.close()


if __name__ == "__main__":
    main()
