import Billing
import Crypto
import CryptoExtras
import Foundation
import Gateways
import Synchronization

/// The answers over HTTP.
extension SimulatedGoogle {
    func reply(to request: SimulatedRequest) async -> SimulatedReply {
        if request.path.hasPrefix("/simulator/") {
            guard let endpoint = desk.first(where: { $0.matches(request) }) else {
                return .response(StoreResponse(status: 404))
            }
            return .response(await endpoint.answer(request))
        }
        return await faults.reply(to: request, at: clock.now) { moody(request) }
    }

    private func moody(_ request: SimulatedRequest) -> SimulatedReply {
        let mood: SimulatedGoogleMood? = state.withLock { state in
            state.asked.append("\(request.method) \(request.path)")
            guard let index = state.moods.firstIndex(where: { request.path.contains($0.path) }) else { return nil }
            return state.moods.remove(at: index).mood
        }
        switch mood {
        case .error(let code, let status, let reason)?: return .response(Self.error(code, status, reason))
        case .page(let status)?:
            let page = Data("<html><body>\(status)</body></html>".utf8)
            return .response(StoreResponse(status: status, headers: ["content-type": "text/html"], body: page))
        case .hangUpAfterEffect?:
            _ = answer(request, leavingOut: [])
            return .hangUp
        case .field(let answer)?: return .response(answer.spoiling(self.answer(request, leavingOut: [])))
        case .leavingOut(let members)?: return .response(answer(request, leavingOut: members))
        case nil: return .response(answer(request, leavingOut: []))
        }
    }

    private func answer(_ request: SimulatedRequest, leavingOut members: Set<String>) -> StoreResponse {
        switch (request.method, request.path) {
        case ("POST", "/token"): return token(request)
        case ("GET", "/oauth2/v3/certs"): return keys { try signer.keySet }
        case ("GET", "/oauth2/v1/certs"): return keys { signer.pems }
        default: break
        }
        let now = clock.now
        let bearer = (request.headers["authorization"] ?? "").split(separator: " ").last.map(String.init) ?? ""
        guard state.withLock({ ($0.accessTokens[bearer] ?? .distantPast) > now }) else {
            return Self.error(401, "UNAUTHENTICATED", "authError")
        }
        let prefix = "/androidpublisher/v3/applications/\(packageName)/"
        guard request.path.hasPrefix(prefix) else { return Self.error(404, "NOT_FOUND", "applicationNotFound") }
        let path = request.path.dropFirst(prefix.count).split(separator: "/").map { part in
            part.removingPercentEncoding ?? String(part)
        }
        return api(request, path, leavingOut: members)
    }

    private func keys(_ make: () throws -> JSON) -> StoreResponse {
        guard let json = try? make() else { return StoreResponse(status: 500) }
        var response = StoreResponse.json(json)
        response.headers["cache-control"] = "public, max-age=3600"
        return response
    }

    // MARK: Access tokens

    private func token(_ request: SimulatedRequest) -> StoreResponse {
        let form = FormFields.decode(request.body)
        guard form["grant_type"] == "urn:ietf:params:oauth:grant-type:jwt-bearer",
            isOurs(form["assertion"] ?? "")
        else {
            return .json(["error": "invalid_grant", "error_description": "Invalid JWT Signature."], status: 400)
        }
        guard isTimely(form["assertion"] ?? "") else {
            let words = "Invalid JWT: Token must be a short-lived token (60 minutes) and in a reasonable timeframe. "
            let advice = "Check your iat and exp values in the JWT claim."
            return .json(["error": "invalid_grant", "error_description": .string(words + advice)], status: 400)
        }
        let token = "ya29.\(UUID().uuidString)"
        let end = clock.now.addingTimeInterval(3_600)
        state.withLock { $0.accessTokens[token] = end }
        return .json(["access_token": .string(token), "expires_in": 3_599, "token_type": "Bearer"])
    }

    /// True if the service account signed it, for this endpoint, within the hour.
    private func isOurs(_ assertion: String) -> Bool {
        let parts = assertion.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 3, let payload = Base64.decode(url: parts[1].utf8),
            let signature = Base64.decode(url: parts[2].utf8), let claims = try? JSON(parsing: payload),
            claims["iss"]?.string == serviceAccount,
            // Google's own library names Google's address, wherever it asks.
            ["\(url)/token", "https://oauth2.googleapis.com/token"].contains(claims["aud"]?.string),
            claims["scope"]?.string?.contains("androidpublisher") == true, let start = claims["iat"]?.integer,
            let end = claims["exp"]?.integer, end - start <= 3_600
        else { return false }
        return serviceKey.publicKey.isValidSignature(
            _RSA.Signing.RSASignature(rawRepresentation: signature),
            for: SHA256.hash(data: Data("\(parts[0]).\(parts[1])".utf8)),
            padding: .insecurePKCS1v1_5
        )
    }

    /// True if it is of about now.
    private func isTimely(_ assertion: String) -> Bool {
        let parts = assertion.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 3, let payload = Base64.decode(url: parts[1].utf8),
            let claims = try? JSON(parsing: payload),
            let start = claims["iat"]?.integer, let end = claims["exp"]?.integer
        else { return false }
        let now = clock.tokenTime.timeIntervalSince1970
        return Double(start) < now + 300 && Double(end) > now - 300
    }

    // MARK: The Developer API

    private func api(_ request: SimulatedRequest, _ path: [String], leavingOut members: Set<String>) -> StoreResponse {
        let body = (try? JSON(parsing: Array(request.body))) ?? .object([])
        switch (request.method, path.count) {
        case ("GET", 4) where path[1] == "subscriptionsv2":
            guard let purchase = purchase(path[3]), purchase.isSubscription else { return Self.unknownToken }
            return .json(purchase.subscription(leavingOut: members))
        case ("GET", 4) where path[1] == "productsv2":
            guard let purchase = purchase(path[3]), !purchase.isSubscription else { return Self.unknownToken }
            return .json(purchase.product())
        case ("GET", 5) where path[1] == "products": return product(path[4])
        case ("GET", 2) where path[0] == "purchases": return voided(request)
        case ("GET", 2) where path[0] == "orders":
            guard let order = order(path[1]) else { return Self.unknownOrder }
            return .json(order.json(country: purchase(order.token)?.country ?? "DE"))
        case ("GET", 1) where path[0] == "orders:batchGet": return orders(request)
        case ("POST", 2) where path[0] == "orders": return act(onOrder: path[1], request, body)
        case ("POST", 4) where path[1] == "subscriptionsv2": return act(onToken: path[3], body)
        case ("POST", 5) where path[1] == "subscriptions" || path[1] == "products":
            return act(onOldToken: path[4], product: path[2], body)
        default: return StoreResponse(status: 404, body: Data("<html>Not Found</html>".utf8))
        }
    }

    /// `purchases.products`, as it was before `productsv2`.
    private func product(_ token: String) -> StoreResponse {
        guard let purchase = purchase(token), !purchase.isSubscription else { return Self.unknownToken }
        var json: JSON = [
            "kind": "androidpublisher#productPurchase",
            "purchaseState": .integer(purchase.state == "PURCHASED" ? 0 : 1),
            "acknowledgementState": .integer(purchase.isAcknowledged ? 1 : 0), "regionCode": .string(purchase.country),
        ]
        if let order = purchase.orders.last { json["orderId"] = .string(order) }
        if let start = purchase.startedAt { json["purchaseTimeMillis"] = .googleMilliseconds(start) }
        return .json(json)
    }

    private func orders(_ request: SimulatedRequest) -> StoreResponse {
        let found = request.all("orderIds").map { order($0) }
        let orders = found.compactMap(\.self)
        guard orders.count == found.count, !orders.isEmpty else { return Self.unknownOrder }
        return .json([
            "orders": .array(orders.map { $0.json(country: purchase($0.token)?.country ?? "DE") })
        ])
    }

    private func voided(_ request: SimulatedRequest) -> StoreResponse {
        func time(_ name: String) -> Date? {
            request.first(name).flatMap { Double($0) }.map { Date(timeIntervalSince1970: $0 / 1_000) }
        }
        let earliest = clock.now.addingTimeInterval(-30 * 86_400)
        let start = time("startTime") ?? earliest
        guard start >= earliest else { return Self.error(400, "INVALID_ARGUMENT", "invalid") }
        let end = time("endTime") ?? clock.now
        let withSubscriptions = request.first("type") == "1"
        let all = state.withLock { $0.voided }.filter { void in
            void.at >= start && void.at <= end
                && (withSubscriptions || purchase(void.token)?.isSubscription == false)
        }
        let offset = min(request.first("token").flatMap { Int($0) } ?? 0, all.count)
        let size = max(1, min(request.first("maxResults").flatMap { Int($0) } ?? 1_000, 1_000))
        let page = all[offset...].prefix(size)
        var json: JSON = [
            "voidedPurchases": .array(
                page.map { void in
                    var entry: JSON = [
                        "kind": "androidpublisher#voidedPurchase", "purchaseToken": .string(void.token),
                        "orderId": .string(void.order), "voidedTimeMillis": .googleMilliseconds(void.at),
                        "purchaseTimeMillis": .googleMilliseconds(order(void.order)?.createdAt ?? void.at),
                        "voidedSource": 1, "voidedReason": 1,
                    ]
                    if let pieces = void.pieces { entry["voidedQuantity"] = .integer(pieces) }
                    return entry
                }
            )
        ]
        if offset + page.count < all.count {
            json["tokenPagination"] = ["nextPageToken": .string("\(offset + page.count)")]
        }
        return .json(json)
    }

    /// The calls of before the second version; acknowledgements have no other.
    private func act(onOldToken part: String, product: String, _ body: JSON) -> StoreResponse {
        let parts = part.split(separator: ":", maxSplits: 1).map(String.init)
        guard parts.count == 2, let purchase = purchase(parts[0]) else { return Self.unknownToken }
        let token = parts[0]
        guard purchase.plan.productID == product else {
            return Self.error(400, "INVALID_ARGUMENT", "purchaseTokenDoesNotMatchSubscriptionId")
        }
        guard purchase.state != "PENDING" else { return Self.error(400, "FAILED_PRECONDITION", "invalid") }
        switch parts[1] {
        case "acknowledge": change(token) { purchase, _ in purchase.isAcknowledged = true }
        case "consume": change(token) { purchase, _ in purchase.isConsumed = true }
        case "cancel": cancel(token, by: "developerInitiatedCancellation")
        case "defer":
            guard let text = body["deferralInfo"]?["desiredExpiryTimeMillis"]?.string, let end = Double(text) else {
                return Self.error(400, "INVALID_ARGUMENT", "invalid")
            }
            change(token) { purchase, _ in purchase.expiresAt = Date(timeIntervalSince1970: end / 1_000) }
            tell(.deferred, token)
            return .json(["newExpiryTimeMillis": .string(text)])
        default: return Self.error(400, "INVALID_ARGUMENT", "invalid")
        }
        return StoreResponse(status: 200)
    }

    private func act(onToken part: String, _ body: JSON) -> StoreResponse {
        let parts = part.split(separator: ":", maxSplits: 1).map(String.init)
        guard parts.count == 2, let purchase = purchase(parts[0]) else { return Self.unknownToken }
        let token = parts[0]
        switch parts[1] {
        case "cancel":
            guard body["cancellationContext"]?["cancellationType"]?.string != nil, purchase.state != "EXPIRED" else {
                return Self.error(400, "INVALID_ARGUMENT", "invalid")
            }
            if purchase.state != "CANCELED" { cancel(token, by: "developerInitiatedCancellation") }
            return .json([:])
        case "revoke":
            guard case .object(let members)? = body["revocationContext"], !members.isEmpty else {
                return Self.error(400, "INVALID_ARGUMENT", "invalid")
            }
            if purchase.state != "EXPIRED" { revoke(token) }
            return .json([:])
        case "defer":
            guard let context = body["deferralContext"], let text = context["deferDuration"]?.string,
                text.hasSuffix("s"), let seconds = Double(text.dropLast()), purchase.state == "ACTIVE"
            else { return Self.error(400, "INVALID_ARGUMENT", "invalid") }
            guard context["etag"]?.string == purchase.etag else { return Self.error(409, "ABORTED", "etagMismatch") }
            let end = (purchase.expiresAt ?? clock.now).addingTimeInterval(seconds)
            if context["validateOnly"] != true {
                change(token) { purchase, _ in purchase.expiresAt = end }
                tell(.deferred, token)
            }
            return .json([
                "itemExpiryTimeDetails": [["productId": .string(purchase.plan.productID), "expiryTime": .google(end)]]
            ])
        default: return Self.error(400, "INVALID_ARGUMENT", "invalid")
        }
    }

    private func act(onOrder part: String, _ request: SimulatedRequest, _ body: JSON) -> StoreResponse {
        let parts = part.split(separator: ":", maxSplits: 1).map(String.init)
        guard parts.count == 2, let order = order(parts[0]) else { return Self.unknownOrder }
        switch parts[1] {
        case "refund":
            guard order.state == "PROCESSED" || order.state == "PARTIALLY_REFUNDED" else {
                return Self.error(400, "FAILED_PRECONDITION", "orderNotRefundable")
            }
            refund(order.id, revoking: request.first("revoke") == "true")
            return StoreResponse(status: 204)
        case "reviewrefund":
            guard body["pendingRefundToken"]?.string != nil, body["refundPreference"]?.string != nil else {
                return Self.error(400, "INVALID_ARGUMENT", "invalid")
            }
            state.withLock { $0.reviews.append((order: order.id, body: body)) }
            return StoreResponse(status: 204)
        default: return Self.error(400, "INVALID_ARGUMENT", "invalid")
        }
    }

    private static let unknownToken = error(404, "NOT_FOUND", "purchaseTokenNotFound")
    private static let unknownOrder = error(404, "NOT_FOUND", "orderNotFound")

    private static func error(_ code: Int, _ status: String, _ reason: String) -> StoreResponse {
        let words = "The \(reason) of the simulated store."
        return .json(
            [
                "error": [
                    "code": .integer(Int64(code)), "message": .string(words), "status": .string(status),
                    "errors": [
                        ["message": .string(words), "domain": "androidpublisher", "reason": .string(reason)]
                    ],
                ]
            ],
            status: code
        )
    }
}
