"""The owner of a purchase: each cell of the table in docs/api/purchases.md over HTTP, in the shapes of three documents, with two
servers.

No row gives access to an account: profile, sessions and deletion stay with their owner.
"""

import random
import uuid

import pytest

import scale
from documents import claims
from documents.claims import Someone, body, cells, masked, owned, owner_of, prove, renew, sign_in
from documents.desk import eventually
from documents.shop import Shop
from documents.signing import Purchase, now

pytestmark = pytest.mark.long
LEAVES = {"refused", "unproven", "setting"}


@pytest.fixture(scope="module")
def shop():
    running = Shop(seed=scale.DAY.toordinal())
    yield running
    running.stop()


@pytest.mark.parametrize("app", claims.PRODUCTS)
def test_each_cell_of_the_table_holds_and_none_opens_an_account(shop, app):
    table = cells()
    assert len(table) == 90
    random.Random(shop.seed + len(app)).shuffle(table)
    failed = []
    for cell in table:
        try:
            walk(shop, app, cell)
        except AssertionError as error:
            failed.append(f"{cell} ({cell.result}): {error}")
    assert not failed, f"{len(failed)} with the seed {shop.seed}:\n" + "\n".join(failed)


def walk(shop, app, cell):
    purchase, owner, device = owned(shop, app, cell.owner)
    claimant = Someone(shop, app, cell.claimant)
    own_sessions = claimant.sessions()
    answer = prove(claimant, body(shop, app, purchase, cell.proof, device))
    judge_answer(app, cell, answer)

    had = owner.user if owner else None
    expected = {"theirs": claimant.user, "moves": claimant.user}.get(cell.result, had)
    found = owner_of(shop, purchase) if cell.result != "unproven" or cell.owner != "nobody" else None
    if cell.result == "one":
        assert {claimant.profile()["id"], owner.profile()["id"]} == {found}
        assert claimant.has_access and owner.has_access
    elif expected:
        assert found == expected, f"{found} has it instead of {expected}"
    assert claimant.has_access == (cell.result not in LEAVES)

    if cell.result != "one":
        assert claimant.profile()["id"] == claimant.user
        assert claimant.sessions() == own_sessions
        if owner and cell.owner != "deleted":
            assert owner.profile()["id"] == owner.user
            assert owner.has_access == (cell.result in LEAVES)
    # The store's next notification does not change the owner, whichever account it names.
    if cell.result != "unproven":
        renew(shop, app, purchase)
        assert owner_of(shop, purchase) == found
    if cell.result != "one":
        claimant.ask("DELETE", "/api/v1/auth/account").has(204)
        if owner and cell.owner != "deleted":
            assert owner.profile()["id"] == owner.user
            assert owner.has_access == (cell.result in LEAVES)


def judge_answer(app, cell, answer):
    match cell.result:
        case "theirs" | "one" | "moves":
            answer.has(200)
        case "unproven":
            wanted = (400, "receiptValidationFailed") if app == "llm-proxy" else (422, "verificationFailed")
            assert (answer.status, answer.json.get("code")) == wanted, answer.body
        case "refused" | "setting":
            problem = answer.has(409)
            assert problem["code"] == "purchaseOwnedByAnother", problem
            # A bare id may be a guess: the answer tells nothing.
            is_told = "id" not in cell.proof and cell.owner == "signed in"
            assert problem.get("signInProvider") == ("apple" if is_told else None), problem
            assert "maskedEmail" not in problem
            said = "This purchase belongs to another account."
            assert problem["message"].startswith(said) and problem["detail"].startswith(said), problem
            if app == "llm-proxy":
                assert problem["success"] is False


@pytest.mark.parametrize("language, text", [
    ("zh-Hans", "此购买属于另一个账号，请使用Apple ID登录该账号后使用"), 
    ("tr", "Bu satın alma başka bir hesaba ait. Kullanmak için Apple Kimliği ile giriş yapın"),
    ("en", "This purchase belongs to another account. Sign in with Apple ID to use it."),
])
def test_a_refusal_is_said_in_the_customers_language(shop, language, text):
    purchase, _, device = owned(shop, "readmigo", "signed in")
    refused = prove(Someone(shop, "readmigo", "anonymous"), body(shop, "readmigo", purchase, "signed within the hour", device), language)
    assert refused.has(409)["detail"] == text


def test_a_refused_claim_is_a_signal_on_both_customers_pages(shop):
    purchase, owner, device = owned(shop, "readmigo", "signed in")
    claimant = Someone(shop, "readmigo", "anonymous")
    prove(claimant, body(shop, "readmigo", purchase, "signed within the hour", device)).has(409)
    for each in (owner, claimant):
        assert "REFUSED_CLAIM" in shop.admin("GET", f"/admin/customers/{each.user}").has(200)["signals"]


def test_a_bare_id_is_whose_the_store_says_it_is(shop):
    claimant = Someone(shop, "readmigo", "anonymous")
    purchase = shop.sell("readmigo", Purchase(claims.PRODUCTS["readmigo"], account=claimant.account))
    prove(claimant, {"transactionId": purchase.id}).has(200)
    assert owner_of(shop, purchase) == claimant.user
    assert claimant.has_access


def test_a_device_without_sign_in_takes_no_account(shop):
    """A bought. D, new and anonymous, restores with A's signed transaction; then B signs in there, restores, uses, signs out."""
    app = "readmigo"
    purchase, ada, device = owned(shop, app, "signed in")
    fresh = Someone(shop, app, "anonymous")
    shown = body(shop, app, purchase, "signed within the hour", device)
    assert fresh.ask("POST", "/subscriptions/restore", shown).has(409)["code"] == "purchaseOwnedByAnother"
    assert fresh.profile()["id"] == fresh.user != ada.user
    assert not fresh.sessions() & ada.sessions()
    bob = Someone(shop, app, "signed in")
    assert bob.ask("POST", "/subscriptions/restore", shown).has(409)["code"] == "purchaseOwnedByAnother"
    assert not bob.has_access
    bob.ask("POST", "/usage/ai", {}).has(200)
    bob.ask("POST", "/api/v1/auth/logout").has(204)
    fresh.ask("DELETE", "/api/v1/auth/account").has(204)
    assert ada.has_access
    used = {each["feature"]: each["used"] for each in ada.ask("GET", "/usage/current").has(200)["features"]}
    assert used["ai"] == 0
    assert ada.profile()["id"] == ada.user


def test_a_renewal_without_an_account_token_makes_no_second_customer(shop):
    claimant = Someone(shop, "readmigo", "signed in")
    purchase = shop.sell("readmigo", Purchase(claims.PRODUCTS["readmigo"], account=claimant.account, begun=now() - 10_000_000))
    shop.tell("readmigo", "SUBSCRIBED", "INITIAL_BUY", purchase)
    claims.wait_for_owner(shop, purchase)
    purchase.account = None
    renew(shop, "readmigo", purchase)
    assert owner_of(shop, purchase) == claimant.user
    assert shop.server.sql(f"SELECT count(*) FROM customers WHERE key = 'apple:{purchase.original}'") == [["0"]]


def test_a_token_that_comes_with_the_second_message_leaves_no_customer_without_a_purchase(shop):
    claimant = Someone(shop, "readmigo", "signed in")
    purchase = shop.sell("readmigo", Purchase(claims.PRODUCTS["readmigo"], begun=now() - 10_000_000))
    shop.tell("readmigo", "SUBSCRIBED", "INITIAL_BUY", purchase)
    claims.wait_for_owner(shop, purchase)
    purchase.account = claimant.account
    renew(shop, "readmigo", purchase)
    assert owner_of(shop, purchase) == claimant.user
    left = f"SELECT count(*) FROM customers WHERE key = 'apple:{purchase.original}' AND merged_into IS NULL"
    assert shop.server.sql(left) == [["0"]]


def test_a_shared_purchase_gives_a_device_access_for_as_long_as_the_account_has_it(shop):
    app = "readmigo"
    shop.set(app, transferBehavior="share")
    try:
        purchase, ada, device = owned(shop, app, "signed in")
        tablet = Someone(shop, app, "anonymous")
        for _ in range(2):
            prove(tablet, body(shop, app, purchase, "signed within the hour", device)).has(200)
        assert tablet.has_access and ada.has_access
        assert owner_of(shop, purchase) == ada.user
        assert tablet.profile()["id"] == tablet.user
        purchase.more = {"revocationDate": now() // 1_000 * 1_000, "revocationReason": 1}
        shop.tell(app, "REFUND", None, purchase)
        eventually(lambda: tablet.has_access, lambda has: not has, within=400)
        assert not ada.has_access
    finally:
        shop.set(app)


def test_a_transferred_purchase_is_the_devices_and_is_shown_to_people(shop):
    app = "readmigo"
    shop.set(app, transferBehavior="transfer", ownerHint="email")
    try:
        purchase, ada, device = owned(shop, app, "signed in")
        tablet = Someone(shop, app, "anonymous")
        prove(tablet, body(shop, app, purchase, "signed within the hour", device)).has(200)
        assert owner_of(shop, purchase) == tablet.user
        assert tablet.has_access and not ada.has_access
        assert ada.profile()["id"] == ada.user
        for each in (ada, tablet):
            assert "TRANSFERRED_PURCHASE" in shop.admin("GET", f"/admin/customers/{each.user}").has(200)["signals"]
        entries = shop.admin("GET", f"/admin/audit?action=subscription.transfer&objectType=customer&objectId={ada.user}").has(200)
        assert tablet.user in str(entries)
        renew(shop, app, purchase)
        assert owner_of(shop, purchase) == tablet.user
        # The account gets it back; anybody else is told its owner, masked.
        prove(ada, body(shop, app, purchase, "signed within the hour", device)).has(200)
        assert owner_of(shop, purchase) == ada.user
        problem = prove(Someone(shop, app, "minted"), body(shop, app, purchase, "receipt", device)).has(409)
        assert masked(problem) and problem["signInProvider"] == "apple", problem
        assert claims.EMAIL not in str(problem)
    finally:
        shop.set(app)


def test_signing_out_cuts_a_device_from_the_account(shop):
    """A device's earlier token ends when somebody signs in with it; the next one that its server mints is for a new customer."""
    app, name = "lightgallery", f"device-{uuid.uuid4()}"
    before = shop.mint(app, name, isAnonymous=True)
    signed_in = sign_in(shop, app, f"001.{uuid.uuid4().hex}", token=before).has(200)
    assert shop.ask("GET", "/api/v1/user/profile", token=before).status == 401
    shop.ask("POST", "/api/v1/auth/logout", token=signed_in["accessToken"]).has(204)
    for token in (before, signed_in["accessToken"]):
        assert shop.ask("GET", "/api/v1/user/profile", token=token).status == 401
    again = shop.mint(app, name, isAnonymous=True)
    assert shop.ask("GET", "/api/v1/user/profile", token=again).has(200)["id"] != signed_in["user"]["id"]
    second = sign_in(shop, app, f"001.{uuid.uuid4().hex}", token=again).has(200)
    assert second["user"]["id"] != signed_in["user"]["id"]


def test_a_second_account_of_a_provider_is_no_way_into_the_first(shop):
    app = "lightgallery"
    ada = Someone(shop, app, "signed in")
    refused = sign_in(shop, app, other := f"001.{uuid.uuid4().hex}", token=ada.token)
    problem = refused.has(409)
    assert problem["code"] == "providerAlreadyLinked"
    assert problem["message"] == "You are signed in with another Apple ID account. Sign out first."
    assert sign_in(shop, app, other).has(200)["user"]["id"] != ada.user


def test_a_device_that_refreshes_twice_at_once_is_not_signed_out(shop):
    app, path = "lightgallery", "/api/v1/auth/token/refresh"
    first = sign_in(shop, app, f"001.{uuid.uuid4().hex}").has(200)["refreshToken"]
    for used in (0, 1):
        pair = [shop.ask("POST", path, {"refreshToken": first}).has(200)["refreshToken"] for _ in range(2)]
        first = shop.ask("POST", path, {"refreshToken": pair[used]}).has(200)["refreshToken"]
    # The other purchase was no longer its own: a caller who sends it now has it from elsewhere.
    assert shop.ask("POST", path, {"refreshToken": pair[0]}).status == 401
    assert shop.ask("POST", path, {"refreshToken": first}).status == 401
