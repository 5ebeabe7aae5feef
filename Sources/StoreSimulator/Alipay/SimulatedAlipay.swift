import Billing
import Crypto
package import CryptoExtras
package import Foundation
package import Gateways
import Synchronization

/// Plays Alipay's gateway: for people who sign in, tokens for codes, refreshed tokens, profiles; for a seller, orders, refunds,
/// notifications and bills (`SimulatedAlipay+Pay.swift`).
///
/// It checks what Alipay checks (app, signature over query and form, time), and signs its answers with Alipay's key over the bytes
/// that it sends, slashes escaped as Alipay escapes them.
package final class SimulatedAlipay: Sendable {
    package static let sellerID = "2088000000000001"

    let appID: String
    private let appKey: _RSA.Signing.PublicKey
    let key: _RSA.Signing.PrivateKey
    private let certificates: SimulatedAlipayCertificates?
    let transport: any StoreTransport
    let now: @Sendable () -> Date
    private let requestTime: @Sendable () -> Date
    let state: Mutex<State>

    /// - Parameters:
    ///   - appKey: the public half of the app's key.
    ///   - key: Alipay's own.
    ///   - certificates: in certificate mode; nil in key mode.
    ///   - transport: how notifications are sent.
    ///   - requestTime: what the times of requests are judged by; `now` where it is nil.
    package init(
        appID: String,
        appKey: _RSA.Signing.PublicKey,
        key: _RSA.Signing.PrivateKey,
        certificates: SimulatedAlipayCertificates? = nil,
        transport: any StoreTransport = HTTPStoreTransport(),
        now: @escaping @Sendable () -> Date = { Date() },
        requestTime: (@Sendable () -> Date)? = nil
    ) {
        self.requestTime = requestTime ?? now
        self.appID = appID
        self.appKey = appKey
        self.key = key
        self.certificates = certificates
        self.transport = transport
        self.now = now
        state = Mutex(State(books: SimulatedAlipayBooks(appID: appID, sellerID: Self.sellerID)))
    }

    /// The endpoints of the simulated store.
    package var endpoints: [SimulatedEndpoint] {
        ["POST", "GET"].map { method in
            SimulatedEndpoint(method, "/gateway.do") { [self] request in answer(request) }
        } + [
            // Drives it from another process: `{"openId", "userId", "nickname", "avatar", "scope"}`.
            SimulatedEndpoint("POST", "/simulator/alipay/sign-in") { [self] request in signIn(request.body) }
        ] + payEndpoints
    }

    /// Returns the code that an app gets when somebody consents; good once, for a day.
    ///
    /// - Parameter scope: `auth_base` asks the person nothing, and opens no profile.
    package func signIn(_ person: SimulatedAlipayAccount, scope: String = "auth_user") -> String {
        let code = UUID().uuidString.replacing("-", with: "").lowercased()
        let grant = Grant(person: person, scope: scope, end: now().addingTimeInterval(86_400))
        state.withLock { $0.codes[code] = grant }
        return code
    }

    /// Spoils the next answers to a method.
    ///
    /// - Parameter grantType: the only grant type whose answers are spoiled, such as `refresh_token`; nil for all.
    package func be(_ mood: SimulatedAlipayMood, at method: String, grantType: String? = nil, times: Int = 1) {
        state.withLock { $0.moods += Array(repeating: (method, grantType, mood), count: max(0, times)) }
    }

    /// Expires the access tokens that were given out, but no refresh token.
    package func expireAccessTokens() {
        state.withLock { $0.accessTokens = [:] }
    }

    /// The methods that were called, in order.
    package var asked: [String] { state.withLock { $0.asked } }

    /// The addresses that were called, in order, with their query.
    package var queries: [[String]] { state.withLock { $0.queries } }

    struct Grant {
        var person: SimulatedAlipayAccount
        var scope: String
        var end: Date
    }

    struct State {
        var codes: [String: Grant] = [:]
        var accessTokens: [String: Grant] = [:]
        var refreshTokens: [String: Grant] = [:]
        var moods: [(method: String, grantType: String?, mood: SimulatedAlipayMood)] = []
        var asked: [String] = []
        var queries: [[String]] = []
        var books: SimulatedAlipayBooks
        var knobs = SimulatedAlipayKnobs()
        var billKnobs = SimulatedAlipayBillKnobs()

        init(books: SimulatedAlipayBooks) {
            self.books = books
        }
    }

    private func answer(_ request: SimulatedRequest) -> StoreResponse {
        var parameters = Dictionary(request.query.map { ($0.name, $0.value) }) { _, last in last }
        parameters.merge(FormFields.decode(request.body)) { _, own in own }
        let method = parameters["method"] ?? ""
        let mood: SimulatedAlipayMood? = state.withLock { state in
            state.asked.append(method)
            state.queries.append(request.query.map(\.name))
            let grantTypes = [nil, parameters["grant_type"]]
            let index = state.moods.firstIndex { $0.method == method && grantTypes.contains($0.grantType) }
            guard let index else { return nil }
            return state.moods.remove(at: index).mood
        }
        if case .refusal(let code, let subCode, let signed) = mood {
            return response(Content(name: "error_response", json: Self.refusal(code, subCode)), nil, signed: signed)
        }
        if case .answer(let code, let subCode) = mood {
            return response(Content(name: Self.name(of: method), json: Self.refusal(code, subCode)), nil, signed: true)
        }
        if let subCode = unacceptable(parameters) {
            // Faults of the gateway itself come without a signature.
            let content = Content(name: "error_response", json: Self.refusal("40002", subCode))
            return response(content, mood, signed: false)
        }
        let content = content(of: method, parameters, host: request.headers["host"] ?? "")
        if case .answerAfterEffect(let code, let subCode) = mood {
            return response(Content(name: content.name, json: Self.refusal(code, subCode)), nil, signed: true)
        }
        if method == "alipay.trade.page.pay" || method == "alipay.trade.wap.pay" { return Self.page(content.json) }
        return response(content, mood, signed: true)
    }

    /// Returns Alipay's sub code for a call that it rejects; nil for a call of the app's own.
    private func unacceptable(_ parameters: [String: String]) -> String? {
        guard parameters["app_id"] == appID else { return "isv.invalid-app-id" }
        guard parameters["sign_type"] == "RSA2" else { return "isv.invalid-signature-type" }
        guard parameters["charset"]?.lowercased() == "utf-8" else { return "isv.invalid-charset" }
        guard parameters["version"] == "1.0" else { return "isv.invalid-version" }
        guard isTimely(parameters["timestamp"] ?? "") else { return "isv.invalid-timestamp" }
        if let certificates {
            guard parameters["app_cert_sn"] == certificates.appSerial else { return "isv.invalid-app-cert-sn" }
            guard parameters["alipay_root_cert_sn"] == certificates.rootSerial else {
                return "isv.invalid-alipay-root-cert-sn"
            }
        }
        let text = AlipayRequest.signedText(parameters.map { ($0.key, $0.value) })
        guard let signature = Data(base64Encoded: parameters["sign"] ?? ""),
            appKey.isValidSignature(
                _RSA.Signing.RSASignature(rawRepresentation: signature),
                for: SHA256.hash(data: Data(text.utf8)),
                padding: .insecurePKCS1v1_5
            )
        else { return "isv.invalid-signature" }
        return nil
    }

    /// Returns true if a timestamp, in Shanghai's time, is within ten minutes of now.
    private func isTimely(_ timestamp: String) -> Bool {
        guard let date = Date(rfc3339: "\(timestamp.replacing(" ", with: "T"))+08:00") else {
            return false
        }
        return abs(date.timeIntervalSince(requestTime())) <= 600
    }

    private func content(of method: String, _ parameters: [String: String], host: String) -> Content {
        switch (method, parameters["grant_type"]) {
        case ("alipay.system.oauth.token", "authorization_code"):
            let now = now()
            let grant = state.withLock { $0.codes.removeValue(forKey: parameters["code"] ?? "") }
            guard let grant, grant.end > now else {
                return Content(name: "error_response", json: Self.refusal("40002", "isv.code-invalid"))
            }
            return token(for: grant)
        case ("alipay.system.oauth.token", "refresh_token"):
            let token = parameters["refresh_token"] ?? ""
            guard let grant = state.withLock({ $0.refreshTokens.removeValue(forKey: token) }) else {
                return Content(name: "error_response", json: Self.refusal("40002", "isv.refresh-token-invalid"))
            }
            return self.token(for: grant)
        case ("alipay.user.info.share", _):
            let name = "alipay_user_info_share_response"
            guard let grant = state.withLock({ $0.accessTokens[parameters["auth_token"] ?? ""] }) else {
                return Content(name: name, json: Self.refusal("20001", "aop.invalid-auth-token"))
            }
            guard grant.scope == "auth_user" else {
                return Content(name: name, json: Self.refusal("40006", "isv.insufficient-user-permissions"))
            }
            return Content(name: name, json: grant.person.profile)
        case ("alipay.data.dataservice.bill.downloadurl.query", _):
            return Content(name: Self.name(of: method), json: billAddress(parameters, host: host))
        case _:
            do throws(SimulatedAlipayRefusal) {
                let json = try pay(method, parameters)
                return Content(name: Self.name(of: method), json: json)
            } catch {
                let isUnknown = error.code == "40002"
                let name = isUnknown ? "error_response" : Self.name(of: method)
                return Content(name: name, json: Self.refusal(error.code, error.subCode))
            }
        }
    }

    private func token(for grant: Grant) -> Content {
        let (accessToken, refreshToken) = ("a\(UUID().uuidString)", "r\(UUID().uuidString)")
        state.withLock { state in
            state.accessTokens[accessToken] = grant
            state.refreshTokens[refreshToken] = grant
        }
        var json: JSON = [
            "access_token": .string(accessToken), "expires_in": 1_296_000, "refresh_token": .string(refreshToken),
            "re_expires_in": 2_592_000, "auth_start": "2026-11-21 18:40:00",
        ]
        if let openID = grant.person.openID { json["open_id"] = .string(openID) }
        if let userID = grant.person.userID { json["user_id"] = .string(userID) }
        return Content(name: "alipay_system_oauth_token_response", json: json)
    }

    private func signIn(_ body: Data) -> StoreResponse {
        let json = (try? JSON(parsing: Array(body))) ?? .object([])
        let person = SimulatedAlipayAccount(
            openID: json["openId"]?.string,
            userID: json["userId"]?.string,
            nickname: json["nickname"]?.string,
            avatarURL: json["avatar"]?.string
        )
        guard person.openID != nil || person.userID != nil else {
            return .json(["error": "openId or userId is needed."], status: 400)
        }
        return .json(["code": .string(signIn(person, scope: json["scope"]?.string ?? "auth_user"))])
    }

    static func refusal(_ code: String, _ subCode: String) -> JSON {
        [
            "code": .string(code), "msg": "Invalid Arguments", "sub_code": .string(subCode),
            "sub_msg": "授权码code无效",
        ]
    }

    private static func name(of method: String) -> String { method.replacing(".", with: "_") + "_response" }

    /// The page of an order that waits for somebody to sign in, or of a refusal.
    private static func page(_ json: JSON) -> StoreResponse {
        let text = json["out_trade_no"]?.string ?? json["sub_code"]?.string ?? ""
        let page = "<html><body><h1>Simulated Alipay</h1><p>\(text)</p></body></html>"
        return StoreResponse(status: 200, headers: ["content-type": "text/html;charset=utf-8"], body: Data(page.utf8))
    }
}

extension SimulatedAlipay {
    /// A response and its name in the answer.
    private struct Content {
        let name: String
        let json: JSON
    }

    private func response(_ content: Content, _ mood: SimulatedAlipayMood?, signed: Bool) -> StoreResponse {
        // Slashes are escaped, as Alipay's serializer does; they stand in texts alone.
        var json = content.json
        if mood == .fundUnchanged, json["fund_change"] != nil { json["fund_change"] = "N" }
        let text = String(decoding: json.bytes, as: UTF8.self).replacing("/", with: "\\/")
        let sent = mood == .tampered ? text.replacing("\":\"", with: "\":\"x", maxReplacements: 1) : text
        var members = ["\"\(content.name)\":\(sent)"]
        if mood == .twice {
            members.append("\"\(content.name)\":\(text.replacing("\":\"", with: "\":\"x", maxReplacements: 1))")
        }
        if let certificates {
            let serial = mood == .otherCertificate ? String(repeating: "0", count: 32) : certificates.alipaySerial
            members.append("\"alipay_cert_sn\":\"\(serial)\"")
        }
        if signed, mood != .unsigned,
            let sign = signature(of: Array(text.utf8), by: mood == .otherKey ? nil : key)
        {
            members.insert("\"sign\":\"\(sign)\"", at: mood == .signFirst ? 0 : members.count)
        }
        var body = Data("{\(members.joined(separator: ","))}".utf8)
        // 支付 in GBK, which is no UTF-8.
        if mood == .gbk {
            body.replaceSubrange(1..<1, with: Data([0x22, 0xD6, 0xA7, 0xB8, 0xB6, 0x22, 0x3A, 0x31, 0x2C]))
        }
        return StoreResponse(status: 200, headers: ["content-type": "text/html;charset=utf-8"], body: body)
    }

    /// - Parameter key: nil for a new key that nobody knows.
    func signature(of text: [UInt8], by key: _RSA.Signing.PrivateKey?) -> String? {
        guard let signer = try? key ?? _RSA.Signing.PrivateKey(keySize: .bits2048) else { return nil }
        let signature = try? signer.signature(for: SHA256.hash(data: text), padding: .insecurePKCS1v1_5)
        return signature?.rawRepresentation.base64EncodedString()
    }
}

extension SimulatedAlipayAccount {
    fileprivate var profile: JSON {
        var json: JSON = ["code": "10000", "msg": "Success"]
        if let openID { json["open_id"] = .string(openID) }
        if let userID { json["user_id"] = .string(userID) }
        if let nickname { json["nick_name"] = .string(nickname) }
        if let avatarURL { json["avatar"] = .string(avatarURL) }
        return json
    }
}
