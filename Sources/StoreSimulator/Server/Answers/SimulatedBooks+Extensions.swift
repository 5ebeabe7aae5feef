import Foundation
import Gateways

extension SimulatedBooks {
    mutating func extend(_ id: String, _ request: SimulatedRequest, _ with: Answering) throws -> StoreResponse {
        let length = try SimulatedExtension(try Self.object(request))
        let entry = try originalEntry(id)
        // Known by its identifier: the same again does nothing more.
        let key = "\(entry.originalID) \(length.requestIdentifier)"
        if let known = extensions[key] { return .json(known) }
        try requireExtensible(entry.originalID, at: with.now)
        guard let answer = extend(entry.originalID, by: length, with) else {
            throw SimulatedRefusal(.subscriptionExtensionIneligible)
        }
        extensions[key] = answer
        return .json(answer)
    }

    /// All active subscriptions to a product; each is told of, and the sum of them.
    mutating func extendAll(_ request: SimulatedRequest, _ with: Answering) throws -> StoreResponse {
        let body = try Self.object(request)
        let length = try SimulatedExtension(body)
        guard let productID = body["productId"]?.string, !productID.isEmpty else {
            throw SimulatedRefusal(.invalidProductID)
        }
        // Nobody ever bought it: it is no product of the app.
        guard transactions.values.contains(where: { $0.payload["productId"]?.string == productID }) else {
            throw SimulatedRefusal(.invalidProductID)
        }
        let countries = try Self.countries(in: body)
        let answer: JSON = ["requestIdentifier": .string(length.requestIdentifier)]
        guard !massExtensions.contains(where: { $0.requestIdentifier == length.requestIdentifier }) else {
            return .json(answer)
        }
        var (succeeded, failed): (Int64, Int64) = (0, 0)
        for originalID in subscriptions.keys.sorted() {
            guard let latest = latest(of: originalID), latest.payload["productId"]?.string == productID,
                subscriptions[originalID]?.status == 1,
                countries.map({ $0.contains(latest.payload["storefront"]?.string ?? "") }) ?? true
            else { continue }
            if (try? requireExtensible(originalID, at: with.now)) != nil, extend(originalID, by: length, with) != nil {
                succeeded += 1
            } else {
                failed += 1
                tell("RENEWAL_EXTENSION", "FAILURE", about: originalID, with)
            }
        }
        massExtensions.append(
            MassExtension(
                requestIdentifier: length.requestIdentifier,
                productID: productID,
                completedAt: with.now,
                succeeded: succeeded,
                failed: failed
            )
        )
        tellSum(of: length, productID, countries ?? [], succeeded, failed, with)
        return .json(answer)
    }

    func extensionStatus(of productID: String, requestIdentifier: String) throws -> StoreResponse {
        guard
            let job = massExtensions.first(where: {
                $0.requestIdentifier == requestIdentifier && $0.productID == productID
            })
        else { throw SimulatedRefusal(.statusRequestNotFound) }
        return .json([
            "requestIdentifier": .string(job.requestIdentifier), "complete": true,
            "completeDate": job.completedAt.milliseconds, "succeededCount": .integer(job.succeeded),
            "failedCount": .integer(job.failed),
        ])
    }

    /// Only active, paid subscriptions of one's own, twice in 365 days.
    private func requireExtensible(_ originalID: String, at now: Date) throws(SimulatedRefusal) {
        guard let latest = latest(of: originalID), let subscription = subscriptions[originalID], latest.isSubscription,
            subscription.status == 1, latest.payload["offerDiscountType"]?.string != "FREE_TRIAL"
        else { throw SimulatedRefusal(.subscriptionExtensionIneligible) }
        guard !latest.isFamilyShared else { throw SimulatedRefusal(.familySubscriptionExtensionIneligible) }
        guard !latest.isAssigned else { throw SimulatedRefusal(.assignedSubscriptionExtensionIneligible) }
        guard subscription.extendedAt.count(where: { $0 > now.addingTimeInterval(-365 * 86_400) }) < 2 else {
            throw SimulatedRefusal(.subscriptionMaxExtension)
        }
    }

    private mutating func extend(_ originalID: String, by length: SimulatedExtension, _ with: Answering) -> JSON? {
        guard let latest = latest(of: originalID), let end = latest.payload["expiresDate"]?.date else { return nil }
        let later = end.addingTimeInterval(Double(length.days) * 86_400)
        change(latest.id, at: with.now) { $0["expiresDate"] = later.milliseconds }
        subscriptions[originalID]?.renewal?["renewalDate"] = later.milliseconds
        subscriptions[originalID]?.extendedAt.append(with.now)
        tell("RENEWAL_EXTENDED", nil, about: originalID, with)
        return [
            "originalTransactionId": .string(originalID),
            "webOrderLineItemId": latest.payload["webOrderLineItemId"] ?? .null,
            "success": true, "effectiveDate": later.milliseconds,
        ]
    }

    private static func countries(in body: JSON) throws(SimulatedRefusal) -> [String]? {
        guard let given = body["storefrontCountryCodes"] else { return nil }
        guard case .array(let list) = given, !list.isEmpty else { throw SimulatedRefusal(.emptyStorefrontCountryCodes) }
        var countries: [String] = []
        for country in list {
            guard let code = country.string, code.utf8.count == 3,
                code.utf8.allSatisfy({ (65...90).contains($0) })
            else { throw SimulatedRefusal(.invalidStorefrontCountryCode) }
            countries.append(code)
        }
        return countries
    }
}

/// The time for which a renewal is put off.
struct SimulatedExtension {
    let days: Int64
    let requestIdentifier: String

    init(_ body: JSON) throws(SimulatedRefusal) {
        guard let days = body["extendByDays"]?.integer, (1...90).contains(days) else {
            throw SimulatedRefusal(.invalidExtendByDays)
        }
        guard let reason = body["extendReasonCode"]?.integer, (0...3).contains(reason) else {
            throw SimulatedRefusal(.invalidExtendReasonCode)
        }
        guard let identifier = body["requestIdentifier"]?.string, (1...128).contains(identifier.utf8.count) else {
            throw SimulatedRefusal(.invalidRequestIdentifier)
        }
        self.days = days
        requestIdentifier = identifier
    }
}
