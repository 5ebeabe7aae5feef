import Billing
import Foundation

// Field by field what the types' own `Codable` writes and reads (a test compares the two), at a tenth of the cost.

extension StoreEvent {
    func write(to json: inout JSONPrinter) {
        json.object { json in
            json.member("id", id)
            json.member("store", store)
            json.member("environment", environment)
            json.member("signedAt", signedAt)
            json.member("kind", kind)
            json.object("transaction") { transaction.writeMembers(to: &$0) }
            if let renewal { json.object("renewal") { renewal.writeMembers(to: &$0) } }
            json.member("status", status)
            json.member("consumptionReason", consumptionReason)
            json.member("reviewToken", reviewToken)
            json.member("isByClock", isByClock)
            json.member("awaitsAcknowledgement", awaitsAcknowledgement)
            json.member("acknowledgeBy", acknowledgeBy)
            json.member("purchaseToken", purchaseToken)
        }
    }

    init(from json: inout JSONScanner) throws {
        var (id, store, environment): (String?, Store?, StoreEnvironment?)
        var (signedAt, kind, transaction): (Date?, Kind?, StoreTransaction?)
        var (renewal, status, consumptionReason): (RenewalTerms?, Status?, ConsumptionReason?)
        var (isByClock, awaitsAcknowledgement, reviewToken): (Bool?, Bool?, String?)
        var (acknowledgeBy, purchaseToken): (Date?, String?)
        try json.object { json, name in
            switch name {
            case "id": id = try json.string()
            case "store": store = try json.name(as: Store.self)
            case "environment": environment = try json.name(as: StoreEnvironment.self)
            case "signedAt": signedAt = try json.date()
            case "kind": kind = try json.name(as: Kind.self)
            case "transaction": transaction = try StoreTransaction(from: &json)
            case "renewal": renewal = try RenewalTerms(from: &json)
            case "status": status = try json.name(as: Status.self)
            case "consumptionReason": consumptionReason = try json.name(as: ConsumptionReason.self)
            case "reviewToken": reviewToken = try json.string()
            case "isByClock": isByClock = try json.bool()
            case "awaitsAcknowledgement": awaitsAcknowledgement = try json.bool()
            case "acknowledgeBy": acknowledgeBy = try json.date()
            case "purchaseToken": purchaseToken = try json.string()
            default: try json.skip()
            }
        }
        guard let id, let store, let environment, let signedAt, let kind, let transaction else {
            throw EventJSON.Incomplete()
        }
        self.init(
            id: id,
            store: store,
            environment: environment,
            signedAt: signedAt,
            kind: kind,
            transaction: transaction,
            renewal: renewal,
            status: status,
            consumptionReason: consumptionReason,
            reviewToken: reviewToken,
            isByClock: isByClock,
            awaitsAcknowledgement: awaitsAcknowledgement,
            acknowledgeBy: acknowledgeBy,
            purchaseToken: purchaseToken
        )
    }
}

extension RenewalTerms {
    fileprivate func writeMembers(to json: inout JSONPrinter) {
        json.member("renewsAutomatically", renewsAutomatically)
        json.member("nextProductID", nextProductID)
        json.member("renewsAt", renewsAt)
        json.member("renewalPrice", renewalPrice)
        json.member("seats", seats.map(Int64.init))
        json.member("gracePeriodEndsAt", gracePeriodEndsAt)
        json.member("isInBillingRetry", isInBillingRetry)
        json.member("expirationReason", expirationReason)
        json.member("priceIncreaseAccepted", priceIncreaseAccepted)
        json.member("commitmentRenews", commitmentRenews)
        if let offer { json.object("offer") { offer.writeMembers(to: &$0) } }
        json.member("winBackOfferIDs", winBackOfferIDs)
        json.member("isPartial", isPartial)
    }

    fileprivate init(from json: inout JSONScanner) throws {
        var (renewsAutomatically, isInBillingRetry): (Bool?, Bool?)
        var (nextProductID, renewsAt, renewalPrice, gracePeriodEndsAt): (String?, Date?, Money?, Date?)
        var (expirationReason, priceIncreaseAccepted): (ExpirationReason?, Bool?)
        var (commitmentRenews, isPartial, seats): (Bool?, Bool?, Int64?)
        var (offer, winBackOfferIDs): (RenewalOffer?, [String]?)
        try json.object { json, name in
            switch name {
            case "renewsAutomatically": renewsAutomatically = try json.bool()
            case "nextProductID": nextProductID = try json.string()
            case "renewsAt": renewsAt = try json.date()
            case "renewalPrice": renewalPrice = try Money(from: &json)
            case "seats": seats = try json.integer()
            case "gracePeriodEndsAt": gracePeriodEndsAt = try json.date()
            case "isInBillingRetry": isInBillingRetry = try json.bool()
            case "expirationReason": expirationReason = try json.name(as: ExpirationReason.self)
            case "priceIncreaseAccepted": priceIncreaseAccepted = try json.bool()
            case "commitmentRenews": commitmentRenews = try json.bool()
            case "offer": offer = try RenewalOffer(from: &json)
            case "winBackOfferIDs": winBackOfferIDs = try json.strings()
            case "isPartial": isPartial = try json.bool()
            default: try json.skip()
            }
        }
        guard let isInBillingRetry else { throw EventJSON.Incomplete() }
        self.init(
            renewsAutomatically: renewsAutomatically,
            nextProductID: nextProductID,
            renewsAt: renewsAt,
            renewalPrice: renewalPrice,
            seats: seats.map { Int($0) },
            gracePeriodEndsAt: gracePeriodEndsAt,
            isInBillingRetry: isInBillingRetry,
            expirationReason: expirationReason,
            priceIncreaseAccepted: priceIncreaseAccepted,
            commitmentRenews: commitmentRenews,
            offer: offer,
            winBackOfferIDs: winBackOfferIDs,
            isPartial: isPartial
        )
    }
}

extension RenewalOffer {
    fileprivate func writeMembers(to json: inout JSONPrinter) {
        json.member("kind", kind)
        json.member("identifier", identifier)
        json.member("discount", discount)
        guard let period else { return }
        json.object("period") { json in
            json.member("count", Int64(period.count))
            json.member("unit", period.unit)
        }
    }

    fileprivate init(from json: inout JSONScanner) throws {
        self.init()
        try json.object { json, name in
            switch name {
            case "kind": kind = try json.name(as: StoreTransaction.Offer.Kind.self)
            case "identifier": identifier = try json.string()
            case "discount": discount = try json.name(as: Discount.self)
            case "period": period = try BillingPeriod(from: &json)
            default: try json.skip()
            }
        }
    }
}

extension BillingPeriod {
    fileprivate init(from json: inout JSONScanner) throws {
        var (count, unit): (Int64?, Unit?)
        try json.object { json, name in
            switch name {
            case "count": count = try json.integer()
            case "unit": unit = try json.name(as: Unit.self)
            default: try json.skip()
            }
        }
        guard let count = count.flatMap({ Int(exactly: $0) }), let unit else { throw EventJSON.Incomplete() }
        self.init(count, unit)
    }
}
