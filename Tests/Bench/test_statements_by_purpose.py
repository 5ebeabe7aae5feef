"""Statements are recognized by their purpose, not by their text, their number or the place of their columns."""

from logged import Statement, patient
from purposes import LAST, Sorted, columns_of, meanings_of

APP = "0190f000-0000-7000-8000-000000000001"
TOUCH = "UPDATE staff_sessions\nSET last_seen_at = $1\nWHERE token_hash = $2 AND last_seen_at < $3"
SESSION = "SELECT s.id, t.id FROM staff_sessions s JOIN staff t ON t.id = s.staff_id WHERE s.token_hash = $1"
VIEWS = "SELECT v.id, v.list\nFROM saved_views v WHERE v.app_id = $1"
CHOICE = "SELECT columns FROM list_columns WHERE staff_id = $1 AND list = $2"
LIST = """SELECT o.id, o.number, o.status, o.store, o.environment, o.product_name, o.plan_code, o.amount,
    o.currency, o.worth, o.purchased_at, o.customer_id, coalesce(c.key, ''), c.name, c.email
FROM (SELECT o.id, o.number FROM orders o WHERE o.app_id = $1 AND o.status = $2 AND (o.purchased_at, o.id) < ($3, $4)
    ORDER BY o.purchased_at DESC LIMIT 26) AS o
LEFT JOIN customers c ON c.id = o.customer_id"""


def statement(text, detail="parameters: $1 = 'x'"):
    return Statement(text, detail)


def test_a_session_touched_meanwhile_is_not_of_the_page():
    page = [statement(text) for text in (SESSION, TOUCH, VIEWS, CHOICE, LIST)]
    found = Sorted(page)
    assert {kind: one.text for kind, one in found.kinds.items()} == {"session": SESSION, "views": VIEWS, "columns": CHOICE, "list": LIST}
    assert [one.name for one in found.beside] == ["UPDATE of staff_sessions"]
    assert not found.others
    assert Sorted(reversed(page)).kinds.keys() == found.kinds.keys()


def test_what_removes_ended_sessions_reads_nothing():
    gone = statement("DELETE FROM staff_sessions WHERE expires_at <= $1")
    by_way = statement("WITH seen AS (UPDATE staff_sessions s SET last_seen_at = $1 RETURNING id) SELECT id FROM seen")
    assert Sorted([gone, by_way]).beside == [gone, by_way]


def test_what_a_page_asks_besides_is_told_apart():
    besides = statement("SELECT count(*) FROM store_health WHERE app_id = $1")
    found = Sorted([statement(LIST), besides])
    assert found.others == [besides]
    assert besides.name == "SELECT of store_health"


def test_columns_are_told_by_where_they_come_from():
    names, missing = columns_of("list", statement(LIST))
    assert names == ["id", "number", "status", "store", "environment", "product", "plan", "amount", "currency", "", "purchased", "",
                     "key", "name", "email"]
    assert missing == []


def test_columns_may_move_and_be_joined_by_others():
    moved = LIST.replace("SELECT o.id, o.number, o.status, o.store,", "SELECT (o.worth > 0) AS is_paid, o.store AS shop, o.status, o.number, o.id,", 1)
    names, missing = columns_of("list", statement(moved))
    assert names[:6] == ["", "store", "status", "number", "id", "environment"]
    assert missing == []


def test_a_column_that_the_peer_shows_and_nobody_selects_is_named():
    _, missing = columns_of("list", statement(LIST.replace("o.plan_code, ", "").replace("c.email", "NULL::text")))
    assert missing == ["o.plan_code", "c.email"]


def test_a_count_is_told_by_what_it_counts():
    text = """SELECT s.id, t.id, a.id, (SELECT count(*) FROM (SELECT FROM refund_requests r WHERE r.app_id = a.id LIMIT 100) AS w),
        (SELECT count(*) FROM (SELECT FROM store_notifications n WHERE n.app_id = a.id LIMIT 100) AS failed)
        FROM staff_sessions s"""
    names, missing = columns_of("session", statement(text))
    assert names == ["id", "staff", "app", "waiting", "failed"]
    assert "t.name" in missing


def test_columns_are_cut_where_they_end():
    text = "SELECT a, coalesce(b, ',', ''), 'x, y FROM z', (SELECT 1 FROM t), c[1] AS d FROM orders o, customers c"
    assert statement(text).columns == ["a", "coalesce(b, ',', '')", "'x, y FROM z'", "(SELECT 1 FROM t)", "c[1] AS d"]


def test_parameters_are_told_by_their_values_and_unknown_ones_stay():
    detail = (f"parameters: $1 = '{APP}', $2 = 'completed', $3 = '2026-11-01 00:00:00+00', $4 = '{LAST}', $5 = '26', $6 = NULL")
    meanings = meanings_of("list", statement(LIST, detail), APP)
    assert meanings == {1: "app", 2: "status", 3: "before", 4: "id", 5: None, 6: None}


def test_only_a_list_goes_on_from_a_moment():
    assert meanings_of("views", statement(VIEWS, "parameters: $1 = '2026-11-01 00:00:00+00'"), APP) == {1: None}


def test_a_script_waits_where_the_product_would_try_again():
    assert patient("SET LOCAL lock_timeout = 1000;\n") == "SET LOCAL lock_timeout = 0"
    assert patient("SELECT set_config('lock_timeout', '100ms', true)") == "SELECT set_config('lock_timeout', '0', true)"
    assert patient("SELECT 1 WHERE name = 'lock_timeout'") == "SELECT 1 WHERE name = 'lock_timeout'"
