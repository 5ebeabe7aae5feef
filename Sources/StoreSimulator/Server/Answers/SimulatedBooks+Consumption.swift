import Foundation
import Gateways

extension SimulatedBooks {
    mutating func takeConsumption(
        of id: String,
        _ request: SimulatedRequest,
        _ with: Answering
    ) throws -> StoreResponse {
        let entry = try entry(id)
        guard !entry.isFamilyShared else { throw SimulatedRefusal(.familyTransactionNotSupported) }
        guard !entry.isAssigned else { throw SimulatedRefusal(.assignedTransactionNotSupported) }
        let body = try Self.object(request)
        guard body["customerConsented"] == true else { throw SimulatedRefusal(.invalidCustomerConsented) }
        guard body["sampleContentProvided"]?.bool != nil else { throw SimulatedRefusal(.invalidSampleContentProvided) }
        guard let status = body["deliveryStatus"]?.string.flatMap(AppleConsumption.DeliveryStatus.init(rawValue:))
        else { throw SimulatedRefusal(.invalidDeliveryStatus) }
        var preference: AppleConsumption.RefundPreference?
        if let given = body["refundPreference"] {
            preference = given.string.flatMap(AppleConsumption.RefundPreference.init(rawValue:))
            guard preference != nil else { throw SimulatedRefusal(.invalidRefundPreference) }
        }
        try Self.check(body["consumptionPercentage"], of: entry, status, preference)
        consumptions.append(SimulatedConsumption(transactionID: id, body: body, receivedAt: with.now))
        return StoreResponse(status: 202)
    }

    private static func check(
        _ percentage: JSON?,
        of entry: Entry,
        _ status: AppleConsumption.DeliveryStatus,
        _ preference: AppleConsumption.RefundPreference?
    ) throws(SimulatedRefusal) {
        let isProrated = preference == .grantProrated && !entry.isSubscription
        guard let percentage else {
            guard !isProrated else { throw SimulatedRefusal(.invalidConsumptionPercentage) }
            return
        }
        guard !entry.isSubscription, let share = percentage.integer, (0...100_000).contains(share),
            share == 0 || status == .delivered, !isProrated || (1..<100_000).contains(share)
        else { throw SimulatedRefusal(.invalidConsumptionPercentage) }
    }

    mutating func takeConsumptionV1(
        of id: String,
        _ request: SimulatedRequest,
        _ with: Answering
    ) throws -> StoreResponse {
        guard try !entry(id).isFamilyShared else { throw SimulatedRefusal(.familyTransactionNotSupported) }
        guard !(try entry(id).isAssigned) else { throw SimulatedRefusal(.assignedTransactionNotSupported) }
        let body = try Self.object(request)
        guard body["customerConsented"] == true else { throw SimulatedRefusal(.invalidCustomerConsented) }
        guard body["sampleContentProvided"]?.bool != nil else { throw SimulatedRefusal(.invalidSampleContentProvided) }
        guard let token = body["appAccountToken"]?.string, token.isEmpty || UUID(uuidString: token) != nil else {
            throw SimulatedRefusal(.invalidAppAccountToken)
        }
        for (name, highest, code) in Self.scales {
            guard let given = body[name] else { continue }
            guard let number = given.integer, (0...highest).contains(number) else { throw SimulatedRefusal(code) }
        }
        consumptions.append(SimulatedConsumption(transactionID: id, body: body, receivedAt: with.now))
        return StoreResponse(status: 202)
    }

    private static let scales: [(name: String, highest: Int64, code: AppleErrorCode)] = [
        ("consumptionStatus", 3, .invalidConsumptionStatus), ("platform", 2, .invalidPlatform),
        ("deliveryStatus", 5, .invalidDeliveryStatus), ("accountTenure", 7, .invalidAccountTenure),
        ("playTime", 7, .invalidPlayTime), ("lifetimeDollarsRefunded", 7, .invalidLifetimeDollarsRefunded),
        ("lifetimeDollarsPurchased", 7, .invalidLifetimeDollarsPurchased), ("userStatus", 4, .invalidUserStatus),
        ("refundPreference", 3, .invalidRefundPreference),
    ]

    /// From now on whatever is signed of the purchase names that account.
    mutating func setAppAccountToken(
        of id: String,
        _ request: SimulatedRequest,
        _ with: Answering
    ) throws -> StoreResponse {
        let entry = try originalEntry(id)
        let body = try Self.object(request)
        guard let token = body["appAccountToken"]?.string, UUID(uuidString: token) != nil else {
            throw SimulatedRefusal(.appAccountTokenNotUUID)
        }
        guard !entry.isFamilyShared else { throw SimulatedRefusal(.familyTransactionNotSupported) }
        guard !entry.isAssigned else { throw SimulatedRefusal(.assignedTransactionNotSupported) }
        guard entry.originalID == id else { throw SimulatedRefusal(.notOriginalTransactionID) }
        for own in transactions(of: entry.customer) where own.originalID == id {
            change(own.id, at: with.now) { $0["appAccountToken"] = .string(token.lowercased()) }
        }
        subscriptions[id]?.renewal?["appAccountToken"] = .string(token.lowercased())
        return StoreResponse(status: 200)
    }

    mutating func finish(_ id: String) throws -> StoreResponse {
        finished.insert(try entry(id).id)
        return StoreResponse(status: 200)
    }

    /// Apple says otherwise that it does not know a transaction where it wants an original one.
    func originalEntry(_ id: String) throws(SimulatedRefusal) -> Entry {
        do throws(SimulatedRefusal) {
            return try entry(id)
        } catch {
            throw error.code == .transactionIDNotFound
                ? SimulatedRefusal(.originalTransactionIDNotFound) : SimulatedRefusal(.invalidOriginalTransactionID)
        }
    }
}
