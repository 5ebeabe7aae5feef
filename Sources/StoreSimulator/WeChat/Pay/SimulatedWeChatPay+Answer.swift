import Crypto
import CryptoExtras
import Foundation
import Gateways
import Synchronization

extension SimulatedWeChatPay {
    /// The endpoints of the simulated store.
    package var endpoints: [SimulatedEndpoint] {
        ["POST", "GET"].map { method in
            SimulatedEndpoint(method, "/v3/*") { [self] request in answer(request) }
        } + desk
    }

    private func answer(_ request: SimulatedRequest) -> StoreResponse {
        let now = clock.now
        let mood = state.withLock { state in
            state.asked.append("\(request.method) \(request.path)")
            return state.takeMood(at: request.path)
        }
        guard isSigned(request, at: requestTime()) else {
            return .json(SimulatedWeChatRefusal(401, "SIGN_ERROR", "签名错误，请检查后再试").json, status: 401)
        }
        if request.path == "/v3/billdownload/file" { return billFile(request) }
        let (status, body): (Int, Data)
        do {
            if let refusal = state.withLock({ $0.takeRefusal(at: request.path) }) { throw refusal }
            let json = try content(request, at: now)
            (status, body) = json == .null ? (204, Data()) : (200, Data(json.bytes))
        } catch let refusal as SimulatedWeChatRefusal {
            (status, body) = (refusal.status, Data(refusal.json.bytes))
        } catch {
            return StoreResponse(status: 500)
        }
        return signed(body, status, for: request, mood, at: now)
    }

    /// - Returns: null for a success without a body.
    private func content(_ request: SimulatedRequest, at now: Date) throws -> JSON {
        var parts = request.path.split(separator: "/").dropFirst().map { $0.removingPercentEncoding ?? String($0) }
        // A number is the fourth part.
        let number = parts.indices.contains(3) ? parts[3] : ""
        if parts.indices.contains(3) { parts[3] = "*" }
        let call = "\(request.method) \(parts.joined(separator: "/"))"
        let body = try request.method == "POST" ? json(request.body) : .object([])
        return try state.withLock { state in
            state.books.settleDue(for: merchant, at: now)
            switch call {
            case "GET certificates": return try certificates(of: state, at: now)
            case "POST pay/transactions/native", "POST pay/transactions/jsapi", "POST pay/transactions/app",
                "POST pay/transactions/h5":
                return try state.books.open(body, as: parts.last ?? "", for: merchant, at: now)
            case "GET pay/transactions/out-trade-no/*":
                try requireMerchant(request.first("mchid"))
                return try state.books.query(number, for: merchant)
            case "GET pay/transactions/id/*":
                try requireMerchant(request.first("mchid"))
                let order = state.books.orders.values.first { $0.transactionID == number }
                return try state.books.query(order?.number ?? "", for: merchant)
            case "POST pay/transactions/out-trade-no/*/close":
                try requireMerchant(body["mchid"]?.string)
                try state.books.close(number)
                return .null
            case "POST refund/domestic/refunds": return try state.books.refund(body, for: merchant, at: now)
            case "GET refund/domestic/refunds/*": return try state.books.refundAnswer(number)
            case "POST refund/domestic/refunds/*/apply-abnormal-refund":
                let signer = signer(named: request.headers["wechatpay-serial"], in: state)
                return try state.books.settleAbnormal(number, body, at: now) { signer?.decrypt($0) }
            case "GET bill/tradebill", "GET bill/fundflowbill": return try bill(request, in: state, at: now)
            default: throw SimulatedWeChatRefusal(404, "RESOURCE_NOT_EXISTS", "资源不存在")
            }
        }
    }

    private func json(_ body: Data) throws -> JSON {
        do {
            return try JSON(parsing: Array(body))
        } catch {
            throw SimulatedWeChatRefusal.parameter("body")
        }
    }

    private func requireMerchant(_ id: String?) throws {
        guard id == merchant.merchantID else { throw SimulatedWeChatRefusal.parameter("mchid") }
    }

    private func certificates(of state: State, at now: Date) throws -> JSON {
        guard state.mode.hasCertificates else { throw SimulatedWeChatRefusal.noCertificates }
        let valid = state.certificates.filter { $0.validity?.contains(now) ?? false }
        return ["data": .array(try valid.reversed().map { try sealed($0) })]
    }

    private func sealed(_ certificate: SimulatedWeChatSigner) throws -> JSON {
        let nonce = String(certificate.serial.suffix(12)).lowercased()
        let box = try AES.GCM.seal(
            Data(certificate.pem.utf8),
            using: SymmetricKey(data: Data(merchant.apiV3Key.utf8)),
            nonce: AES.GCM.Nonce(data: Data(nonce.utf8)),
            authenticating: Data("certificate".utf8)
        )
        let validity = certificate.validity ?? Date.distantPast...Date.distantFuture
        return [
            "serial_no": .string(certificate.serial),
            "effective_time": .string(SimulatedWeChatTime.text(validity.lowerBound)),
            "expire_time": .string(SimulatedWeChatTime.text(validity.upperBound)),
            "encrypt_certificate": [
                "algorithm": "AEAD_AES_256_GCM", "nonce": .string(nonce), "associated_data": "certificate",
                "ciphertext": .string((box.ciphertext + box.tag).base64EncodedString()),
            ],
        ]
    }

    private func signer(named serial: String?, in state: State) -> SimulatedWeChatSigner? {
        serial == publicKey.serial ? publicKey : state.certificates.first { $0.serial == serial }
    }
}

extension SimulatedWeChatPay {
    /// Checks what WeChat Pay checks: merchant, serial, time, a nonce that was not used within ten minutes, and the signature over the
    /// bytes as they came.
    private func isSigned(_ request: SimulatedRequest, at now: Date) -> Bool {
        let header = request.headers["authorization"] ?? ""
        guard header.hasPrefix("WECHATPAY2-SHA256-RSA2048 ") else { return false }
        let fields = Dictionary(
            header.matches(of: /([a-z_]+)="([^"]*)"/).map { (String($0.output.1), String($0.output.2)) }
        ) { first, _ in first }
        guard fields["mchid"] == merchant.merchantID, fields["serial_no"] == merchant.serial,
            let timestamp = fields["timestamp"], let seconds = Double(timestamp),
            (now.timeIntervalSince1970 - seconds).magnitude <= 300, let nonce = fields["nonce_str"],
            let signature = Data(base64Encoded: fields["signature"] ?? "")
        else { return false }
        let message =
            Data("\(request.method)\n\(request.target)\n\(timestamp)\n\(nonce)\n".utf8) + request.body + Data("\n".utf8)
        let holds = merchant.key.isValidSignature(
            _RSA.Signing.RSASignature(rawRepresentation: signature),
            for: SHA256.hash(data: message),
            padding: .insecurePKCS1v1_5
        )
        return holds
            && state.withLock { state in
                state.nonces = state.nonces.filter { now.timeIntervalSince($0.value) < 600 }
                return state.nonces.updateValue(now, forKey: nonce) == nil
            }
    }

    private func signed(
        _ body: Data,
        _ status: Int,
        for request: SimulatedRequest,
        _ mood: SimulatedWeChatMood?,
        at now: Date
    ) -> StoreResponse {
        let (mode, newest) = state.withLock { ($0.mode, $0.certificates.last) }
        let wantsPublicKey = mode.hasPublicKey && request.headers["wechatpay-serial"] == publicKey.serial
        let signer = wantsPublicKey || !mode.hasCertificates ? publicKey : newest ?? publicKey
        var headers = signature(of: body, by: signer, mood, at: requestTime())
        headers["request-id"] = "08F78BB0AF0610D302189F80C8582082\(Int(now.timeIntervalSince1970))-0"
        if !body.isEmpty { headers["content-type"] = "application/json; charset=utf-8" }
        return StoreResponse(status: status, headers: headers, body: Self.sent(body, mood))
    }

    /// The bytes of a signed body as they arrive.
    static func sent(_ body: Data, _ mood: SimulatedWeChatMood?) -> Data {
        guard mood == .tampered else { return body }
        return Data(String(decoding: body, as: UTF8.self).replacing(":", with: ": ").utf8)
    }

    /// The headers that sign a body, by lower-case name.
    func signature(
        of body: Data,
        by signer: SimulatedWeChatSigner,
        _ mood: SimulatedWeChatMood?,
        at now: Date
    ) -> [String: String] {
        guard mood != .unsigned else { return [:] }
        var age: TimeInterval = 0
        if case .stale(let seconds)? = mood { age = seconds }
        let timestamp = "\(Int((now.timeIntervalSince1970 - age).rounded(.down)))"
        let nonce = UUID().uuidString.replacing("-", with: "")
        let others = state.withLock { $0.certificates.first { $0.serial != signer.serial } } ?? publicKey
        let key = mood == .otherKey ? (signer.serial == publicKey.serial ? others : publicKey) : signer
        var signature = (try? key.sign(timestamp: timestamp, nonce: nonce, body)) ?? ""
        if mood == .probe { signature = "WECHATPAY/SIGNTEST/" + signature.dropFirst(19) }
        return [
            "wechatpay-timestamp": timestamp, "wechatpay-nonce": nonce, "wechatpay-signature": signature,
            "wechatpay-serial": mood == .unknownSerial ? "5ABCDEF0123456789ABCDEF0123456789ABCDEF0" : signer.serial,
            "wechatpay-signature-type": "WECHATPAY2-SHA256-RSA2048",
        ]
    }
}

extension SimulatedWeChatPay.State {
    fileprivate mutating func takeMood(at path: String) -> SimulatedWeChatMood? {
        guard let index = moods.firstIndex(where: { path.contains($0.path) }) else { return nil }
        return moods.remove(at: index).mood
    }

    fileprivate mutating func takeRefusal(at path: String) -> SimulatedWeChatRefusal? {
        guard let index = refusals.firstIndex(where: { path.contains($0.path) }) else { return nil }
        return refusals.remove(at: index).refusal
    }
}
