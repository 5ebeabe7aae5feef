"""Usage that is counted while the server is killed: what was accepted is counted once, and nothing else is."""

import asyncio
import http.client
import json
import resource
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

import scale
from installation import CATALOG, Installation

CALLS = scale.of(10_000, 1_000)
RACERS, LIMIT, LEFT, RUNS = 1_000, 120, 100, scale.of(10, 3)
CALLERS = 32


@pytest.fixture(scope="module")
def shop():
    """Starts a server whose app limits `ai` to so many uses a day, and has no real limit for `voice-chat`."""
    made = Installation()
    try:
        made.start()
        made.do("catalog", "apply", str(CATALOG))
        made.sql(f"""
            INSERT INTO plan_features (plan_id, feature_id, per_day)
            SELECT p.id, f.id, CASE f.code WHEN 'ai' THEN {LIMIT} ELSE 1000000000 END
            FROM plans p JOIN features f USING (app_id) JOIN apps a ON a.id = p.app_id
            WHERE a.slug = 'readmigo' AND p.rank = 0 AND f.code IN ('ai', 'voice-chat')
            ON CONFLICT (plan_id, feature_id) DO UPDATE SET per_day = excluded.per_day, per_month = NULL, lifetime = NULL;
            UPDATE apps SET catalog_version = catalog_version + 1;
            """)
        yield made
    finally:
        made.remove()


def token(shop, customer):
    return shop.do("token", "--app", "readmigo", "--customer", customer).split()[-1]


def count(port, token, feature, key, quantity=1):
    """Returns the status and the answer; None for a call whose answer was lost."""
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    if key:
        headers["Idempotency-Key"] = key
    try:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=300)
        connection.request("POST", f"/usage/{feature}", json.dumps({"quantity": quantity}), headers)
        response = connection.getresponse()
        return response.status, json.loads(response.read())
    except (OSError, http.client.HTTPException, json.JSONDecodeError):
        return None


async def at_once(port, token, feature, calls):
    """Returns the status and the answer of each call; the first is sent when all are connected."""
    request = f"POST /usage/{feature} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nAuthorization: Bearer {token}\r\n" \
        "Content-Type: application/json\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}"
    streams = [await asyncio.open_connection("127.0.0.1", port) for _ in range(calls)]
    for _, writer in streams:
        writer.write(request.encode())

    async def answer(reader, writer):
        head, _, body = (await reader.read()).partition(b"\r\n\r\n")
        writer.close()
        return int(head.split()[1]), json.loads(body)

    return await asyncio.wait_for(asyncio.gather(*(answer(*stream) for stream in streams)), 300)


def test_of_a_thousand_at_once_as_many_are_accepted_as_the_limit_leaves(shop):
    port = shop.server.port
    files, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(files, min(4 * RACERS, most)), most))
    for run in range(RUNS):
        mine = token(shop, f"racer-{run}")
        assert count(port, mine, "ai", None, LIMIT - LEFT)[1]["used"] == LIMIT - LEFT
        answers = []
        # A call that waited too long on a busy machine gets a 503, is not counted, and is sent again.
        while len(answers) < RACERS:
            told = asyncio.run(at_once(port, mine, "ai", RACERS - len(answers)))
            answers += [answer for answer in told if answer[0] != 503]
        statuses = [status for status, _ in answers]
        assert (statuses.count(200), statuses.count(429)) == (LEFT, RACERS - LEFT), f"run {run}"
        assert sorted(answer["used"] for status, answer in answers if status == 200) == list(range(LIMIT - LEFT + 1, LIMIT + 1))


def test_a_server_that_is_killed_counts_what_it_accepted_once(shop):
    mine, port = token(shop, "survivor"), shop.server.port
    over, retries = threading.Event(), []

    def killing():
        while not over.wait(1.5):
            shop.kill(shop.server)
            shop.start()

    def counted(number):
        """Sends a call until it is accepted, again under the same key as a client that lost the answer does."""
        end = time.monotonic() + 600
        while time.monotonic() < end:
            answer = count(port, mine, "voice-chat", f"call-{number}")
            if answer and answer[0] == 200:
                return answer[1]
            retries.append(number)
            time.sleep(0.05)
        raise AssertionError(f"call {number} was never accepted")

    killer = threading.Thread(target=killing)
    killer.start()
    try:
        with ThreadPoolExecutor(CALLERS) as pool:
            answers = list(pool.map(counted, range(CALLS)))
    finally:
        over.set()
        killer.join()
    assert retries, "the server was never killed while it counted"
    # Each key was counted once, and has its own place in the count.
    assert sorted(answer["used"] for answer in answers) == list(range(1, CALLS + 1))
    assert shop.sql("SELECT sum(lifetime_used) FROM usage_counters c JOIN features f ON f.id = c.feature_id WHERE f.code = 'voice-chat'") == [str(CALLS)]
    assert shop.sql("SELECT count(*), count(result) FROM idempotency_keys WHERE key LIKE 'call-%'") == [f"{CALLS}|{CALLS}"]
    # The same key gets the same answer.
    for number in range(0, CALLS, CALLS // 50):
        assert count(port, mine, "voice-chat", f"call-{number}")[1] == answers[number]
