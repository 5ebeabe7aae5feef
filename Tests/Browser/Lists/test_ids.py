"""Ids are complete, and can be selected and copied."""

from listing import NOTIFICATIONS, ORDERS, rows


def test_ids_are_whole_and_can_be_selected(page, server, known):
    number, transaction, original, key, product = server.sql(
        f"""SELECT o.number, o.transaction_id, o.original_transaction_id, c.key, p.store_product_id
            FROM orders o JOIN customers c ON c.id = o.customer_id JOIN products p ON p.id = o.product_id
            WHERE o.number = '{known.order}'""")[0]
    page.goto(f"{ORDERS}/{known.order}")
    select = """element => {
        getSelection().selectAllChildren(element);
        return getSelection().toString().trim();
    }"""
    found = page.locator("[data-copy]").evaluate_all(
        f"elements => elements.map(element => [element.dataset.copy, ({select})(element)])")
    told = {name: text for name, text in found}
    assert told["Copy order number"] == number
    assert told["Copy transaction ID"] == transaction
    assert told["Copy original transaction ID"] == original
    assert told["Copy customer key"] == key
    assert told["Copy product ID"] == product
    page.goto(f"{NOTIFICATIONS}?state=failed")
    uuids = server.sql("SELECT notification_uuid FROM store_notifications WHERE state = 'failed' "
                       "ORDER BY received_at DESC, id DESC")
    assert [row["Notification UUID"] for row in rows(page)] == [row[0] for row in uuids]


def test_nothing_is_cut_off_with_dots(page, known):
    for path in (ORDERS, f"{ORDERS}/{known.hostile_order}", NOTIFICATIONS):
        page.goto(path)
        cut = page.evaluate("""[...document.querySelectorAll("main *")].filter(element => {
            const style = getComputedStyle(element);
            return style.textOverflow === "ellipsis" || (style.userSelect === "none" && !element.matches("button"));
        }).length""")
        assert cut == 0


def test_the_copy_button_puts_the_whole_id_on_the_clipboard(open_as, known):
    page = open_as("admin", permissions=["clipboard-read", "clipboard-write"])
    page.goto(f"{ORDERS}/{known.order}")
    button = page.get_by_role("button", name="Copy order number")
    button.focus()
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Copied", exact=True).wait_for()
    assert page.evaluate("navigator.clipboard.readText()") == known.order
