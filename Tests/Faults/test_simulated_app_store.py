"""The simulated App Store beside a server: its notifications reach the server, and lost ones come again on Apple's schedule."""

import json
import re
import socket
import time
import urllib.error
import urllib.request

import pytest
from appstoreserverlibrary.api_client import APIException, AppStoreServerAPIClient
from appstoreserverlibrary.models.Environment import Environment
from appstoreserverlibrary.models.NotificationHistoryRequest import NotificationHistoryRequest
from appstoreserverlibrary.models.SendAttemptResult import SendAttemptResult

import ports
from desk import Desk
from installation import CATALOG, until

PASSWORD = "correct horse battery"

LIVES = ["--customers", "60", "--months", "12", "--seed", "5", "--lost", "40"]


class Store:
    """A process of `perennial simulate apple-server`."""

    def __init__(self, installation):
        self.url = f"http://127.0.0.1:{ports.take()}"
        self.process = installation.popen(
            "simulate", "apple-server", "--port", self.url.rpartition(":")[2], "--webhook", installation.server.url, *LIVES)
        self.said = [self.process.stdout.readline().decode() for _ in range(3)]

    def restart(self, installation):
        """Restarts the store at the same address."""
        self.process = installation.popen(
            "simulate", "apple-server", "--port", self.url.rpartition(":")[2], "--webhook", installation.server.url, *LIVES)
        self.said = [self.process.stdout.readline().decode() for _ in range(3)]

    def tell(self, method, path, **body):
        request = urllib.request.Request(f"{self.url}/simulator/{path}", json.dumps(body).encode(), method=method)
        with urllib.request.urlopen(request, timeout=300) as answer:
            return json.load(answer)

    def client(self, bundle_id="com.readmigo.app"):
        _, issuer, _, key, _, path = self.said[1].split()
        with open(path, "rb") as file:
            client = AppStoreServerAPIClient(file.read(), key, issuer.rstrip(","), bundle_id, Environment.PRODUCTION)
        client._base_url = self.url
        return client


@pytest.fixture
def store(own):
    own.start()
    made = Store(own)
    try:
        own.do("catalog", "apply", str(CATALOG), "--simulator", str(own.authority / "root.der"))
        wait_until_known(own, made)
        yield made
    finally:
        made.process.terminate()
        made.process.wait(300)


def wait_until_known(own, store):
    """Waits until the server knows the app: it looks up an unknown one again only after a second."""
    now = int(time.time() * 1000)
    asked = NotificationHistoryRequest(startDate=now - 170 * 86_400_000, endDate=now)
    signed = store.client().get_notification_history(None, asked).notificationHistory[0].signedPayload
    # The notification names the app but is not authentic: nothing of it is stored.
    forged = signed[:-8] + ("A" * 8 if not signed.endswith("A" * 8) else "B" * 8)

    def answer():
        request = urllib.request.Request(
            f"{own.server.url}/webhooks/apple", json.dumps({"signedPayload": forged}).encode(),
            {"Content-Type": "application/json"})
        try:
            return urllib.request.urlopen(request, timeout=300).status
        except urllib.error.HTTPError as error:
            return error.code

    until(lambda: answer() == 401, "the app is known", 20)


def refused(call, *arguments):
    with pytest.raises(APIException) as refusal:
        call(*arguments)
    return refusal.value


def test_a_store_and_a_server(own, store):
    assert store.url in store.said[0] and f"{store.url}/sandbox" in store.said[0], store.said
    client = store.client()

    # The notifications that the store reports as delivered are those that the other command sends.
    sent = own.do("simulate", "apple", *LIVES, "--to", own.server.url, "--concurrency", "1")
    sendings = store.tell("GET", "sendings")
    arrived = {one["notificationUUID"] for one in sendings if one["sendAttempts"][-1]["sendAttemptResult"] == "SUCCESS"}
    assert sent.startswith(f"{len(arrived)} of {len(arrived)} accepted"), sent
    known = "SELECT notification_uuid FROM store_notifications"
    assert set(own.sql(known)) == arrived and 0 < len(arrived) < len(sendings)

    # A test notification goes all the way.
    token = client.request_test_notification().testNotificationToken

    def tested():
        try:
            return client.get_test_notification_status(token)
        except APIException:
            return None

    attempts = until(tested, "the test notification", 20).sendAttempts
    assert [attempt.sendAttemptResult for attempt in attempts] == [SendAttemptResult.SUCCESS]
    assert token[:36] in own.sql(known)

    # Recently lost notifications are sent again until they arrive; those that were given up are not.
    store.tell("POST", "clock", advanceSeconds=160 * 3600)
    results = [[attempt["sendAttemptResult"] for attempt in one["sendAttempts"]] for one in store.tell("GET", "sendings")]
    late = [one for one in results if one[-1] == "SUCCESS" and len(one) > 1]
    assert late and len(own.sql(known)) == len(arrived) + 1 + len(late)
    assert all(len(one) in (1, 6) for one in results if one[-1] != "SUCCESS")

    # It can be told to fail, and to stop failing.
    transaction = store.tell("GET", "transactions")[0]["transactionId"]
    store.tell("POST", "faults", kind="error", code=5000001, times=10)
    assert refused(client.get_transaction_info, transaction).raw_api_error == 5000001
    store.tell("DELETE", "faults")
    store.tell("PUT", "released", released=False)
    assert refused(client.get_transaction_info, transaction).http_status_code == 401
    store.tell("PUT", "released", released=True)
    assert refused(store.client("com.example").get_transaction_info, transaction).http_status_code == 401
    assert store.process.poll() is None


def connect(own, store):
    """Gives the app a key for the store."""
    _, issuer, _, key, _, path = store.said[1].split()
    text = CATALOG.read_text()
    catalog = own.home / "connected.yaml"
    catalog.write_text(text.replace("  environment: store\n", f"""\
  environment: simulator
  anchors: ["file:{own.authority}/root.der"]
  api:
    issuerId: {issuer.rstrip(",")}
    keyId: {key}
    privateKey: file:{path}
    production: {store.url}
    sandbox: {store.url}/sandbox
"""))
    own.do("catalog", "apply", str(catalog))


def test_what_the_store_lost_is_fetched_and_the_doctor_sees_a_test_notification(own, store):
    connect(own, store)
    own.do("simulate", "apple", *LIVES, "--to", own.server.url, "--concurrency", "1")
    sent = store.tell("GET", "sendings")
    arrived = sum(one["sendAttempts"][-1]["sendAttemptResult"] == "SUCCESS" for one in sent)

    said = own.do("reconcile", "apple", "--days", "180")
    missed = sum(int(number) for number in re.findall(r"(\d+) were missing", said))
    # The server looks by itself, too, as soon as it knows the key: what it has found the command does not find.
    until(lambda: own.sql("SELECT count(*) FROM reconciliations WHERE finished_at IS NULL") == ["0"], "the end of its own look", 60)
    found = "SELECT coalesce(sum(notifications_missed), 0) FROM reconciliations"
    assert own.sql(f"{found} WHERE trigger = 'command'") == [str(missed)]
    in_all = int(own.sql(found)[0])
    assert 0 < in_all <= len(sent) - arrived
    assert len(own.sql("SELECT id FROM store_notifications")) == arrived + in_all
    # Nothing that the store remembers is left.
    again = own.do("reconcile", "apple", "--days", "180", "--app", "readmigo")
    assert re.findall(r"(\d+) were missing", again) == ["0", "0"], again

    checked = own.run("doctor", PERENNIAL_PATIENCE="20")
    assert "a test notification of Apple for readmigo (production) came in and is verified" in checked.stdout, checked.stdout

    # The proxy that the environment names is used only where a setting says so.
    nobody = f"http://127.0.0.1:{ports.take()}"
    proxies = {"http_proxy": nobody, "https_proxy": nobody, "all_proxy": nobody, "no_proxy": ""}
    own.do("reconcile", "apple", **proxies)
    own.do("reconcile", "apple", PERENNIAL_STORE_PROXY="environment", **(proxies | {"no_proxy": "127.0.0.1"}))
    refused = own.run("reconcile", "apple", PERENNIAL_STORE_PROXY="environment", **proxies)
    assert refused.returncode == 1 and "did not answer" in refused.stdout, refused

    store.process.terminate()
    store.process.wait(300)
    refused = own.run("reconcile", "apple")
    assert refused.returncode == 1 and "did not answer" in refused.stdout, refused


def test_while_apple_is_away_a_purchase_waits_and_is_verified_by_itself_once_it_is_back(own, store):
    connect(own, store)
    own.do("staff", "add", "ada@example.com", "--name", "Ada", "--role", "admin", input="correct horse battery\n")
    token = own.do("staff", "token", "ada@example.com", "--name", "the app's server").split()[-1]
    known = [each for each in store.tell("GET", "transactions") if each.get("appAccountToken")]
    bought, other = known[-1], known[0]

    def call(path, body=None):
        request = urllib.request.Request(
            own.server.url + path, body and json.dumps(body).encode(),
            {"Authorization": f"Bearer {token}", "Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=300) as answer:
            return json.load(answer)

    def verify(customer, transaction=bought):
        # An id proves nothing by itself: it belongs to the account that Apple names.
        account = {"appAccountToken": transaction["appAccountToken"]}
        return call("/admin/purchases", {"customerId": customer, "transactionId": transaction["transactionId"]} | account)

    def status(of):
        return call(f"/admin/purchases/{of['id']}")["status"]

    # The server knows that the app has a key.
    def is_connected():
        try:
            return verify("somebody else", other)
        except urllib.error.HTTPError as error:
            return error.code not in (409, 503)

    until(is_connected, "the app is connected", 20)

    # Nobody listens at Apple's address any more.
    store.process.terminate()
    store.process.wait(300)
    refused = verify("mei")
    assert refused["status"] == "PENDING" and refused["message"].startswith("Verification pending"), refused
    assert refused["access"]["planType"] == "FREE"

    # Something listens there and never answers.
    with socket.create_server(("127.0.0.1", int(store.url.rpartition(":")[2])), backlog=64):
        late = verify("mei")
        assert late["id"] == refused["id"] and late["status"] == "PENDING", late

    store.restart(own)
    connect(own, store)
    until(lambda: status(refused) == "VERIFIED", "the purchase is verified by itself", 120)
    whole = call(f"/admin/purchases/{refused['id']}")
    assert [one["claim"] for one in whole["purchases"]] == ["HELD"] and whole["problem"] is None, whole
    assert own.sql("SELECT count(*) FROM subscription_events WHERE source = 'verification'") != ["0"]


def test_stores_of_an_app_are_connected_from_the_page_the_api_and_the_command_line(own, store):
    """A key is uploaded on the page; with it a test notification arrives, an order is looked up, and Apple gets an account
    token."""
    _, issuer, _, key, _, path = store.said[1].split()
    catalog = own.home / "connected.yaml"
    catalog.write_text(CATALOG.read_text().replace("  environment: store\n", f"""\
  environment: simulator
  anchors: ["file:{own.authority}/root.der"]
  api:
    production: {store.url}
    sandbox: {store.url}/sandbox
  id:
    address: {store.url}
    clientIds: [com.readmigo.app]
    teamId: SIMTEAM001
    keyId: {key}
    privateKey: file:{path}

stores:
  wechat:
    identifier: wx5157a1a7edb00c01
    environment: simulator
    settings: {{ address: "{store.url}" }}
    secrets: {{ appSecret: "file:{own.authority}/wechat-app-secret.txt" }}
  alipay:
    identifier: "2021000000000001"
    environment: simulator
    settings: {{ gateway: "{store.url}/gateway.do" }}
    secrets:
      appPrivateKey: file:{own.authority}/alipay-app.key.pem
      alipayPublicKey: file:{own.authority}/alipay.pub.pem
"""))
    own.do("catalog", "apply", str(catalog))
    own.do("simulate", "apple", *LIVES, "--to", own.server.url, "--concurrency", "1")
    own.do("staff", "add", "boss@example.com", "--name", "Boss", "--role", "admin", input=f"{PASSWORD}\n")
    token = own.do("staff", "token", "boss@example.com", "--name", "tests").split()[-1]
    desk = Desk(own, "boss@example.com", PASSWORD)

    def call(method, target, body=None, **headers):
        request = urllib.request.Request(
            own.server.url + target, None if body is None else json.dumps(body).encode(), method=method,
            headers={"Authorization": f"Bearer {token}", "Content-Type": "application/json", **headers})
        try:
            with urllib.request.urlopen(request, timeout=300) as answer:
                return answer.status, json.load(answer)
        except urllib.error.HTTPError as error:
            return error.code, json.load(error)

    # Without a key the answer has the reason.
    status, problem = call("POST", "/webhooks/apple/test")
    assert status == 409 and "no key" in problem["detail"], problem

    with open(path, encoding="utf-8") as file:
        pem = file.read()
    form = "/dashboard/stores/apple/keys/api"
    assert desk.send(f"{form}?", form, issuerId=issuer.rstrip(","), keyId=key, privateKey=pem) == "/dashboard/stores"
    page = desk.page("/dashboard/stores")
    assert key in page and pem.splitlines()[1] not in page

    status, answer = call("POST", "/webhooks/apple/test", {"environment": "PRODUCTION"})
    assert (status, answer["result"]) == (200, "ARRIVED"), answer
    # The sandbox takes one test in ten seconds.
    assert call("POST", "/webhooks/apple/test", {"environment": "SANDBOX"})[0] == 200
    own.sql("UPDATE test_notifications SET requested_at = clock_timestamp() WHERE environment = 'sandbox'")
    status, problem = call("POST", "/webhooks/apple/test", {"environment": "SANDBOX"})
    assert status == 429, problem

    known = own.sql("SELECT transaction_id FROM orders WHERE environment = 'production' AND subscription_id IS NOT NULL "
                    "ORDER BY number LIMIT 1")[0]
    status, answer = call("GET", f"/admin/stores/apple/orders/M{known}")
    assert status == 200 and any(each["appleTransactionId"] == known for each in answer["transactions"]), answer
    assert known in own.do("apple", "lookup-order", f"M{known}", "--app", "readmigo")
    assert f"M{known}" in desk.page(f"/dashboard/stores/apple/orders?order=M{known}")
    assert call("GET", "/admin/stores/apple/orders/MNOTHING1")[0] == 404

    original = own.sql(f"SELECT original_transaction_id FROM orders WHERE transaction_id = '{known}'")[0]
    account = "01920000-0000-7000-8000-000000000001"
    own.do("apple", "set-account-token", original, "--token", account, "--app", "readmigo", "--reason", "Bought by another account.")
    told = [each["appAccountToken"] for each in store.tell("GET", "transactions") if each["transactionId"] == known]
    assert told == [account]

    # A notification of Apple's about an account is stored once.
    told = store.tell("POST", "account-notifications", clientId="com.readmigo.app", subject="001.a", type="consent-revoked")
    for _ in range(2):
        request = urllib.request.Request(
            own.server.url + "/webhooks/apple/account", json.dumps(told).encode(), {"Content-Type": "application/json"})
        assert urllib.request.urlopen(request, timeout=300).status == 200
    assert own.sql("SELECT type || ' ' || subject FROM apple_account_notifications") == ["consent-revoked 001.a"]
    assert "Stopped signing in with Apple" in desk.page("/dashboard/stores")

    def exchange(**body):
        request = urllib.request.Request(
            own.server.url + "/api/v1/auth/oauth/exchange", json.dumps(body).encode(),
            {"Content-Type": "application/json", "X-App": "readmigo"})
        try:
            with urllib.request.urlopen(request, timeout=300) as answer:
                return answer.status, json.load(answer)
        except urllib.error.HTTPError as error:
            return error.code, json.load(error)

    # A person who consents at WeChat or Alipay becomes one new customer; the code is good once.
    for provider, person in (("wechat", {"openid": "o-li", "nickname": "Li"}), ("alipay", {"openId": "a-wu", "nickname": "Wu"})):
        for is_new in (True, False):
            code = store.tell("POST", f"{provider}/sign-in", **person)["code"]
            status, answer = exchange(provider=provider, code=code)
            assert (status, answer.get("isNewUser")) == (200, is_new), answer
            assert answer["user"]["displayName"] == person["nickname"], answer
        status, answer = exchange(provider=provider, code=code)
        assert (status, answer["code"]) == (401, "oauthFailed"), answer

    checked = own.run("doctor", PERENNIAL_PATIENCE="20").stdout
    assert f"readmigo apple has API key {key} (uploaded" in checked, checked
