"""WeChat Pay as far as it tells of payments and pays refunds: what it says is signed, and it outlives the servers that ask it."""

import base64
import datetime
import http.server
import json
import random
import threading
import time
import urllib.request

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import padding, rsa
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

PUBLIC_KEY_ID = "PUB_KEY_ID_0119000001092024111100000000000001"
MERCHANT = "1900000109"
APP = "wxd930ea5d5a258f4f"
API_V3_KEY = "0123456789abcdef0123456789ABCDEF"
REFUNDS = "/v3/refund/domestic/refunds"
ORDERS = "/v3/pay/transactions/out-trade-no/"


class WeChatPay:
    """Pays each number once, however often it is asked to. One of three refunds is in process at first; each answer takes a while,
    so that a server that dies has often asked and not heard."""

    def __init__(self, seed=35):
        self._key, self.merchant_key = (rsa.generate_private_key(65_537, 2_048) for _ in range(2))
        self._random, self._lock = random.Random(seed), threading.Lock()
        # By number: what was asked for, how often, and the state.
        self.refunds, self.asked, self.differing = {}, {}, []
        # By number: the orders that customers have paid, as it tells of them.
        self.orders = {}
        store = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                store._answer(self, json.loads(self.rfile.read(int(self.headers["Content-Length"]))))

            def do_GET(self):
                store._answer(self, None)

            def log_message(self, *_):
                pass

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def stop(self):
        self._server.shutdown()
        self._server.server_close()

    @property
    def paid(self):
        """The fen that customers have, by the payment that is given back."""
        with self._lock:
            return {asked["transaction_id"]: asked["amount"]["refund"]
                    for asked, state in self.refunds.values() if state == "SUCCESS"}

    def pem(self, key):
        return key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()).decode()

    @property
    def public_pem(self):
        return self._key.public_key().public_bytes(
            serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo).decode()

    def _answer(self, call, asked):
        if call.path.startswith(ORDERS):
            status, body = self._order(call.path.removeprefix(ORDERS).partition("?")[0])
        else:
            status, body = self._refund(asked) if asked else self._standing(call.path.rpartition("/")[2])
        time.sleep(self._random.uniform(0, 0.15))
        text = json.dumps(body, ensure_ascii=False).encode()
        try:
            call.send_response(status)
            for name, value in (self._signed(text) | {"Content-Length": str(len(text))}).items():
                call.send_header(name, value)
            call.end_headers()
            call.wfile.write(text)
        except OSError:
            # Whoever asked is dead.
            pass

    def _signed(self, text):
        stamp, nonce = str(int(time.time())), f"{self._random.getrandbits(120):030X}"
        signed = b"\n".join([stamp.encode(), nonce.encode(), text, b""])
        signature = self._key.sign(signed, padding.PKCS1v15(), hashes.SHA256())
        return {
            "Content-Type": "application/json", "Wechatpay-Timestamp": stamp, "Wechatpay-Nonce": nonce,
            "Wechatpay-Serial": PUBLIC_KEY_ID, "Wechatpay-Signature": base64.b64encode(signature).decode(),
            "Wechatpay-Signature-Type": "WECHATPAY2-SHA256-RSA2048",
        }

    def pay(self, number, fen):
        """A customer pays an order."""
        now = datetime.datetime.now(datetime.timezone(datetime.timedelta(hours=8))).isoformat(timespec="seconds")
        with self._lock:
            self.orders[number] = {
                "appid": APP, "mchid": MERCHANT, "out_trade_no": number,
                "transaction_id": f"42{len(self.orders):026d}", "trade_type": "NATIVE", "trade_state": "SUCCESS",
                "trade_state_desc": "支付成功", "bank_type": "OTHERS", "success_time": now,
                "payer": {"openid": f"o-{number}"},
                "amount": {"total": fen, "payer_total": fen, "currency": "CNY", "payer_currency": "CNY"},
            }

    def tell(self, number, address):
        """Tells a server of a payment. Returns whether it took it."""
        with self._lock:
            plain = json.dumps(self.orders[number], ensure_ascii=False).encode()
        nonce = f"{self._random.getrandbits(48):012x}"
        sealed = AESGCM(API_V3_KEY.encode()).encrypt(nonce.encode(), plain, b"transaction")
        text = json.dumps({
            "id": f"EV-{number}", "create_time": "2026-11-28T12:00:00+08:00", "resource_type": "encrypt-resource",
            "event_type": "TRANSACTION.SUCCESS", "summary": "支付成功",
            "resource": {"original_type": "transaction", "algorithm": "AEAD_AES_256_GCM", "nonce": nonce,
                         "associated_data": "transaction", "ciphertext": base64.b64encode(sealed).decode()},
        }, ensure_ascii=False).encode()
        try:
            with urllib.request.urlopen(urllib.request.Request(address, text, self._signed(text)), timeout=30) as answer:
                return answer.status in (200, 204)
        except OSError:
            # Refused, or dead: it is told again.
            return False

    def _order(self, number):
        with self._lock:
            told = self.orders.get(number)
        return (200, told) if told else (404, {"code": "ORDER_NOT_EXIST", "message": "订单不存在"})

    def _refund(self, asked):
        number = asked["out_refund_no"]
        with self._lock:
            self.asked[number] = self.asked.get(number, 0) + 1
            if number not in self.refunds:
                state = "PROCESSING" if self._random.random() < 0.33 else "SUCCESS"
                self.refunds[number] = (asked, state)
            elif self.refunds[number][0] != asked:
                self.differing.append(number)
            return 200, self._told(number)

    def _standing(self, number):
        with self._lock:
            if number not in self.refunds:
                return 404, {"code": "RESOURCE_NOT_EXISTS", "message": "退款单不存在"}
            self.refunds[number] = (self.refunds[number][0], "SUCCESS")
            return 200, self._told(number)

    def _told(self, number):
        asked, state = self.refunds[number]
        told = {
            "refund_id": f"5{abs(hash(number)) % 10**20:020d}", "out_refund_no": number,
            "transaction_id": asked["transaction_id"], "out_trade_no": "T" + asked["transaction_id"], "channel": "ORIGINAL",
            "user_received_account": "支付用户零钱", "create_time": "2026-11-28T12:00:00+08:00", "status": state,
            "amount": asked["amount"],
        }
        return told | ({"success_time": "2026-11-28T12:00:00+08:00"} if state == "SUCCESS" else {})
