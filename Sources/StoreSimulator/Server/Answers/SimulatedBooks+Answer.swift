import Billing
import Foundation
import Gateways

/// The App Store Server API over what the books know (stores/apple.md, 2.2).
extension SimulatedBooks {
    /// - Parameter request: at its path below the environment's base.
    mutating func answer(
        _ request: SimulatedRequest,
        at now: Date,
        signedBy signer: AppleSigner,
        reachable: Bool
    ) throws -> StoreResponse {
        do {
            return try route(request, Answering(now: now, signer: signer, canNotify: reachable)) ?? Self.noSuchPath
        } catch let refusal as SimulatedRefusal {
            return refusal.response
        }
    }

    /// The parts of an answer besides the books.
    struct Answering {
        let now: Date
        let signer: AppleSigner
        /// True if the app has an address for notifications.
        let canNotify: Bool
    }

    private mutating func route(_ request: SimulatedRequest, _ with: Answering) throws -> StoreResponse? {
        let segments = request.path.split(separator: "/").map { String($0).removingPercentEncoding ?? String($0) }
        let path = Array(segments.dropFirst())
        if segments.first == "groups" { return try routeGroups(request, path, with) }
        guard segments.first == "inApps" else { return nil }
        switch (request.method, path.count) {
        case ("GET", 3) where path.starts(with: ["v1", "transactions"]):
            return try transactionInfo(path[2], with)
        case ("GET", 3) where path[1] == "history" && (path[0] == "v1" || path[0] == "v2"):
            return try history(of: path[2], request, with)
        case ("GET", 3) where path.starts(with: ["v1", "subscriptions"]):
            return try statuses(of: path[2], request, with)
        case ("GET", 4) where path.starts(with: ["v1", "transactions", "appTransactions"]):
            return try appTransaction(of: path[3], with)
        case ("GET", 4) where path.starts(with: ["v2", "refund", "lookup"]):
            return try refunds(of: path[3], request, with)
        case ("GET", 3) where path.starts(with: ["v1", "lookup"]) && environment == .production:
            return try order(path[2], with)
        case ("POST", 3) where path == ["v1", "notifications", "history"]:
            return try notifications(request, with)
        case ("POST", 3) where path == ["v1", "notifications", "test"]:
            return try requestTest(with)
        case ("GET", 4) where path.starts(with: ["v1", "notifications", "test"]):
            return try testStatus(path[3], with)
        default: return try routeEffects(request, path, with)
        }
    }

    private mutating func routeEffects(
        _ request: SimulatedRequest,
        _ path: [String],
        _ with: Answering
    ) throws -> StoreResponse? {
        switch (request.method, path.count) {
        case ("PUT", 4) where path.starts(with: ["v2", "transactions", "consumption"]):
            return try takeConsumption(of: path[3], request, with)
        case ("PUT", 4) where path.starts(with: ["v1", "transactions", "consumption"]):
            return try takeConsumptionV1(of: path[3], request, with)
        case ("PUT", 4) where path.starts(with: ["v1", "transactions"]) && path[3] == "appAccountToken":
            return try setAppAccountToken(of: path[2], request, with)
        case ("POST", 4) where path.starts(with: ["v1", "transactions"]) && path[3] == "finish":
            return try finish(path[2])
        case ("POST", 4) where path == ["v1", "subscriptions", "extend", "mass"]:
            return try extendAll(request, with)
        case ("PUT", 4) where path.starts(with: ["v1", "subscriptions", "extend"]):
            return try extend(path[3], request, with)
        case ("GET", 6) where path.starts(with: ["v1", "subscriptions", "extend", "mass"]):
            return try extensionStatus(of: path[4], requestIdentifier: path[5])
        default: return nil
        }
    }

    /// The transaction of that id; an id is digits.
    func entry(_ id: String) throws(SimulatedRefusal) -> Entry {
        guard !id.isEmpty, id.utf8.count <= 32, id.utf8.allSatisfy({ (48...57).contains($0) }) else {
            throw SimulatedRefusal(.invalidTransactionID)
        }
        guard let entry = transactions[id] else { throw SimulatedRefusal(.transactionIDNotFound) }
        return entry
    }

    /// A transaction as it stands now, signed now.
    func signed(_ entry: Entry, _ with: Answering) throws -> JSON {
        var payload = entry.payload
        payload["signedDate"] = with.now.milliseconds
        return .string(try with.signer.sign(payload))
    }

    static func object(_ request: SimulatedRequest) throws(SimulatedRefusal) -> JSON {
        guard let json = try? JSON(parsing: Array(request.body)), case .object = json else {
            throw SimulatedRefusal(.generalBadRequest)
        }
        return json
    }

    /// An address that Apple does not have, such as that of orders in the sandbox.
    private static let noSuchPath = StoreResponse(
        status: 404,
        headers: ["content-type": "text/html"],
        body: Data("<html><body>Not Found</body></html>".utf8)
    )
}
