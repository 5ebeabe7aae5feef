"""lightgallery: signing in, the profile and the account."""

import datetime
import uuid as uuids

from documents.cases import Document
from documents.desk import APPS, Customer
from documents.shapes import any_text, one_of, seconds, text, time, uuid

lightgallery = Document("lightgallery")
ENDPOINTS = [
    "POST /api/v1/auth/oauth/exchange", "POST /api/v1/auth/token/refresh", "POST /api/v1/auth/logout", "DELETE /api/v1/auth/account",
    "GET /api/v1/subscription/products", "GET /api/v1/subscription/status", "POST /api/v1/subscription/verify",
    "POST /api/v1/subscription/sync", "POST /api/v1/subscription/cancel", "GET /api/v1/user/profile", "PUT /api/v1/user/profile",
]
USER = {
    "id": uuid, "displayName": any_text, "email": text.or_null, "avatarURL": text.or_null,
    "authProvider": one_of("apple", "wechat", "alipay"), "createdAt": time, "lastLoginAt": time,
}
TOKEN = {"accessToken": text, "refreshToken": text, "expiresAt": time, "tokenType": "Bearer"}
AUTH_MORE = "expiresIn userId isNewUser user linkedProviders"
EXCHANGE = "/api/v1/auth/oauth/exchange"


def exchange(desk, body, language="zh-Hans", token=None):
    return desk.ask("POST", EXCHANGE, body, language, token=token, app="lightgallery")


def signed_in(desk, provider="wechat", **person):
    """Signs in a new person; returns the answer."""
    person = {"id": uuids.uuid4().hex, "name": "李娜", "picture": "https://pictures.example/1.png"} | person
    answer = exchange(desk, {"provider": provider, "code": desk.providers.code(**person)})
    answer.has(200, TOKEN, AUTH_MORE)
    return Customer(desk, "lightgallery", None, answer.json["accessToken"]), answer.json, person


@lightgallery.case("API Endpoints, AuthToken, User", f"POST {EXCHANGE}", adds=AUTH_MORE)
def exchange_wechat_and_alipay(desk):
    """A code becomes AuthToken's four members, with the User; signed in again, it is the same user."""
    for provider in ("wechat", "alipay"):
        _, first, person = signed_in(desk, provider)
        wanted = USER | {"displayName": "李娜", "avatarURL": person["picture"], "authProvider": provider, "email": None}
        again = exchange(desk, {"provider": provider, "code": desk.providers.code(**person)}).has(200, TOKEN | {"user": wanted})
        assert again["user"]["id"] == first["user"]["id"]


@lightgallery.case("API Endpoints, Sign in with Apple", f"POST {EXCHANGE}", adds=AUTH_MORE)
def exchange_apple(desk):
    """An identity token of the app, with the name that Apple tells only to the device."""
    subject = f"001.{uuids.uuid4().hex}"
    token = desk.providers.identity_token(APPS["lightgallery"][0], subject, email="na@example.com", email_verified=True)
    wanted = USER | {"displayName": "Li Na", "email": "na@example.com", "authProvider": "apple"}
    exchange(desk, {"provider": "apple", "identityToken": token, "displayName": "Li Na"}).has(200, TOKEN | {"user": wanted})


@lightgallery.case("application.yml: jwt", f"POST {EXCHANGE}", "POST /api/v1/auth/token/refresh")
def token_lives(desk):
    """An access token is good for 24 hours; a refresh token makes the next pair."""
    _, auth, _ = signed_in(desk)
    life = datetime.datetime.fromisoformat(auth["expiresAt"]) - datetime.datetime.now(datetime.UTC)
    assert datetime.timedelta(hours=23, minutes=58) < life <= datetime.timedelta(hours=24)


@lightgallery.case("API Endpoints, AuthToken", "POST /api/v1/auth/token/refresh", adds=AUTH_MORE)
def refresh(desk):
    """AuthToken's four members; the new access token opens what the old one did, and no token is needed to ask."""
    _, auth, _ = signed_in(desk)
    fresh = desk.ask("POST", "/api/v1/auth/token/refresh", {"refreshToken": auth["refreshToken"]}).has(200, TOKEN)
    assert fresh["refreshToken"] != auth["refreshToken"]
    profile = desk.ask("GET", "/api/v1/user/profile", token=fresh["accessToken"])
    assert profile.json["id"] == auth["user"]["id"]


@lightgallery.case("Spring Boot Controller Example: AuthController", "POST /api/v1/auth/token/refresh", adds=AUTH_MORE)
def refresh_answers_as_exchange(desk):
    """The same AuthResponse as the exchange."""
    _, auth, _ = signed_in(desk)
    fresh = desk.ask("POST", "/api/v1/auth/token/refresh", {"refreshToken": auth["refreshToken"]}).has(200, TOKEN)
    assert fresh.keys() == auth.keys(), fresh.keys() ^ auth.keys()
    assert (fresh["isNewUser"], fresh["user"]) == (False, auth["user"])


@lightgallery.case("AuthError.tokenInvalid", "GET /api/v1/user/profile", "GET /api/v1/subscription/status")
def token_invalid(desk):
    """登录信息无效，请重新登录: 401 for a text that is no token, wherever one is needed."""
    answers = []
    for method, path in (("GET", "/api/v1/user/profile"), ("GET", "/api/v1/subscription/status"), ("POST", "/api/v1/subscription/sync")):
        answers.append(desk.ask(method, path, None, "zh-Hans", token="eyJhbGciOiJFUzI1NiJ9.e30.AAAA"))
    for answer in answers:
        problem = answer.has(401)
        assert (problem["code"], problem["message"]) == ("tokenInvalid", "登录信息无效，请重新登录"), problem


@lightgallery.case("AuthError.tokenInvalid", "POST /api/v1/auth/token/refresh")
def refresh_token_invalid(desk):
    """登录信息无效，请重新登录: 401 for a refresh token that never was."""
    problem = desk.ask("POST", "/api/v1/auth/token/refresh", {"refreshToken": "prt_" + "0" * 64}, "zh-Hans").has(401)
    assert (problem["code"], problem["message"]) == ("tokenInvalid", "登录信息无效，请重新登录"), problem


@lightgallery.case("AuthError.tokenExpired", "GET /api/v1/user/profile")
def token_expired(desk):
    """登录已过期，请重新登录: 401 for a token that was good; after a sign-out as well."""
    customer, _, _ = signed_in(desk)
    customer.ask("POST", "/api/v1/auth/logout").has(204)
    problem = customer.ask("GET", "/api/v1/user/profile", language="zh-Hans").has(401)
    assert problem["message"] in ("登录已过期，请重新登录", "登录信息无效，请重新登录")


@lightgallery.case("AuthError.oauthFailed", f"POST {EXCHANGE}")
def oauth_failed(desk):
    """登录失败：微信 - …, 登录失败：支付宝 - …, 登录失败：Apple ID - …; in English where that is asked for."""
    names = {"wechat": "微信", "alipay": "支付宝", "apple": "Apple ID"}
    for provider, name in names.items():
        body = {"provider": provider, "code": "nobodys"}
        if provider == "apple":
            body = {"provider": provider, "identityToken": desk.providers.identity_token("com.other.app", "001.x")}
        problem = exchange(desk, body).has(401)
        assert problem["code"] == "oauthFailed"
        assert problem["message"].startswith(f"登录失败：{name} - "), problem["message"]
    english = exchange(desk, {"provider": "wechat", "code": "nobodys"}, "en").has(401)["message"]
    assert english.startswith("Sign-in failed: WeChat - ")


@lightgallery.case("AuthError.networkError", f"POST {EXCHANGE}")
def network_error(desk):
    """网络连接失败，请检查网络设置: 503 while the provider does not answer."""
    desk.providers.silent = True
    try:
        answer = exchange(desk, {"provider": "wechat", "code": desk.providers.code(id="x", name="x")})
    finally:
        desk.providers.silent = False
    problem = answer.has(503)
    assert (problem["code"], problem["message"]) == ("networkError", "网络连接失败，请检查网络设置")
    assert answer.headers["Retry-After"]


@lightgallery.case("API Endpoints", f"POST {EXCHANGE}")
def exchange_refused(desk):
    """Another provider, or nothing to exchange: each field is named."""
    for body, field in (({"provider": "github", "code": "1"}, "provider"), ({"code": "1"}, "provider"), ({"provider": "wechat"}, "code")):
        problem = exchange(desk, body).has(422)
        assert field in [each["field"] for each in problem["errors"]]


@lightgallery.case("API Endpoints: Logout user", "POST /api/v1/auth/logout")
def logout(desk):
    """204 without a body; the session's tokens end at once; without a token it is 401."""
    customer, _, _ = signed_in(desk)
    assert customer.ask("POST", "/api/v1/auth/logout").has(204) is None
    customer.ask("GET", "/api/v1/user/profile").has(401)
    desk.ask("POST", "/api/v1/auth/logout").has(401)


@lightgallery.case("API Endpoints: Delete user account, Property 37", "DELETE /api/v1/auth/account", adds=AUTH_MORE)
def account_deleted(desk):
    """204; every session ends; nothing personal is left; the provider's account signs in as somebody new."""
    customer, auth, person = signed_in(desk, name="张伟")
    assert customer.ask("DELETE", "/api/v1/auth/account").has(204) is None
    customer.ask("GET", "/api/v1/user/profile").has(401)
    left = desk.server.sql(f"SELECT name, email, avatar_url FROM customers WHERE id = '{auth['user']['id']}'")
    assert left == [["", "", ""]]
    again = exchange(desk, {"provider": "wechat", "code": desk.providers.code(**person)}).has(200, TOKEN)
    assert again["isNewUser"] is True
    assert again["user"]["id"] != auth["user"]["id"]
    desk.ask("DELETE", "/api/v1/auth/account").has(401)


@lightgallery.case("API Endpoints: user profile", "GET /api/v1/user/profile", "PUT /api/v1/user/profile", adds="linkedProviders")
def profile(desk):
    """The User; its editable members are changed, and the rest stays as it is."""
    customer, auth, _ = signed_in(desk)
    customer.ask("GET", "/api/v1/user/profile").has(200, USER | {"id": auth["user"]["id"], "displayName": "李娜"})
    changed = auth["user"] | {"displayName": "娜娜", "email": "na@example.com", "avatarURL": "https://pictures.example/2.png",
                              "authProvider": "apple"}
    wanted = USER | {name: changed[name] for name in ("id", "displayName", "email", "avatarURL", "createdAt")}
    for method, body in (("PUT", changed), ("GET", None)):
        customer.ask(method, "/api/v1/user/profile", body).has(200, wanted | {"authProvider": "wechat"})
    problem = customer.ask("PUT", "/api/v1/user/profile", changed | {"displayName": ""}, "zh-Hans").has(422)
    assert problem["errors"][0]["field"] == "displayName"


@lightgallery.case("User, AuthToken: Codable dates", "GET /api/v1/user/profile", f"POST {EXCHANGE}", adds=AUTH_MORE)
def dates_have_one_format(desk):
    """Every date in one format, as a Codable client can read only one: whole seconds, as Swift's `.iso8601` takes them."""
    for _ in range(3):
        _, auth, _ = signed_in(desk)
        for found in (auth["expiresAt"], auth["user"]["createdAt"], auth["user"]["lastLoginAt"]):
            assert seconds.holds(found), found


@lightgallery.case("Spring Security Configuration: CORS", "OPTIONS /api/v1/subscription/products",
                   differs="`*` with credentials is allowed there; here an app lists the origins whose pages may call, and cookies are for none")
def cors(desk):
    """Any page may call."""
    answer = desk.ask("OPTIONS", "/api/v1/subscription/products", Origin="https://anywhere.example",
                      Access_Control_Request_Method="GET")
    assert answer.headers["Access-Control-Allow-Origin"] in ("*", "https://anywhere.example")


@lightgallery.case("Spring Security Configuration: permitAll", "GET /v3/api-docs", "GET /swagger-ui/",
                   differs="no client of the app calls them: the description is at `/openapi.json`, its page at `/docs`")
def api_docs(desk):
    """The description of the API is open to everybody."""
    for path in ("/v3/api-docs", "/swagger-ui/index.html"):
        desk.ask("GET", path).has(200)


@lightgallery.case("Technology Stack: API Documentation", "GET /openapi.json", "GET /docs")
def api_description(desk):
    """Our description has every endpoint of the document, or its replacement."""
    paths = desk.ask("GET", "/openapi.json").has(200)["paths"]
    for endpoint in ENDPOINTS:
        method, path = endpoint.split()
        assert method.lower() in paths[path], endpoint
    assert desk.ask("GET", "/docs").status == 200
