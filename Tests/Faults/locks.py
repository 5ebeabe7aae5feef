"""Locks that another session holds from a known time on, for as long as a test says."""

import contextlib
import threading

from installation import until

HOLDING = "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'psql' AND state = 'idle in transaction'"


class Held:
    """A transaction of another session that has taken its locks."""

    def __init__(self, session):
        self.session = session

    def release(self):
        with contextlib.suppress(BrokenPipeError, ValueError):
            self.session.stdin.write("COMMIT;\n")
            self.session.stdin.close()

    def release_after(self, seconds):
        """Releases the locks after so many seconds, while the caller goes on."""
        threading.Timer(seconds, self.release).start()


@contextlib.contextmanager
def held(database, statement):
    """Runs a statement in another session's transaction, which stays open until the end or `release`."""
    session = database.psql()
    session.stdin.write(f"BEGIN; {statement};\n")
    session.stdin.flush()
    lock = Held(session)
    try:
        until(lambda: database.sql(HOLDING) == ["1"], "the lock", 60)
        yield lock
    finally:
        lock.release()
        session.wait(300)
