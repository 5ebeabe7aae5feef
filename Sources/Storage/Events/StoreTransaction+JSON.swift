import Billing
import Foundation

extension StoreTransaction {
    func writeMembers(to json: inout JSONPrinter) {
        json.member("id", id)
        json.member("originalID", originalID)
        json.member("productID", productID)
        json.member("kind", kind)
        json.member("purchasedAt", purchasedAt)
        json.member("expiresAt", expiresAt)
        json.member("price", price)
        json.member("quantity", Int64(quantity))
        json.member("reason", reason)
        json.member("isFamilyShared", isFamilyShared)
        json.member("isAssigned", isAssigned)
        if let seats { json.object("seats") { seats.writeMembers(to: &$0) } }
        json.member("additionTo", additionTo)
        if let offer { json.object("offer") { offer.writeMembers(to: &$0) } }
        if let revocation { json.object("revocation") { revocation.writeMembers(to: &$0) } }
        if let isUpgraded { json.member("isUpgraded", isUpgraded) }
        json.member("replacesWithoutCredit", replacesWithoutCredit)
        json.member("customerToken", customerToken?.uuidString)
        json.member("storefront", storefront)
        json.member("appTransactionID", appTransactionID)
        json.member("previousOriginalID", previousOriginalID)
        json.member("purchaseID", purchaseID)
        json.member("isBookedElsewhere", isBookedElsewhere)
        json.member("isKindAssumed", isKindAssumed)
        if let commitment { json.object("commitment") { commitment.writeMembers(to: &$0) } }
        json.member("startsAt", startsAt)
        json.member("wholePrice", wholePrice)
    }

    init(from json: inout JSONScanner) throws {
        var (id, originalID, productID, kind, purchasedAt): (String?, String?, String?, Kind?, Date?)
        var (quantity, isFamilyShared): (Int64?, Bool?)
        var (expiresAt, price, reason): (Date?, Money?, Reason?)
        var (offer, revocation, customerToken, storefront): (Offer?, Revocation?, UUID?, String?)
        var (isUpgraded, appTransactionID, previousOriginalID): (Bool?, String?, String?)
        var (purchaseID, isBookedElsewhere, isKindAssumed): (String?, Bool?, Bool?)
        var (commitment, replacesWithoutCredit): (Commitment?, Bool?)
        var (isAssigned, seats, additionTo): (Bool?, Seats?, String?)
        var (startsAt, wholePrice): (Date?, Money?)
        try json.object { json, name in
            switch name {
            case "id": id = try json.string()
            case "originalID": originalID = try json.string()
            case "productID": productID = try json.string()
            case "kind": kind = try json.name(as: Kind.self)
            case "purchasedAt": purchasedAt = try json.date()
            case "expiresAt": expiresAt = try json.date()
            case "price": price = try Money(from: &json)
            case "quantity": quantity = try json.integer()
            case "reason": reason = try json.name(as: Reason.self)
            case "isFamilyShared": isFamilyShared = try json.bool()
            case "isAssigned": isAssigned = try json.bool()
            case "seats": seats = try Seats(from: &json)
            case "additionTo": additionTo = try json.string()
            case "offer": offer = try Offer(from: &json)
            case "revocation": revocation = try Revocation(from: &json)
            case "isUpgraded": isUpgraded = try json.bool()
            case "replacesWithoutCredit": replacesWithoutCredit = try json.bool()
            case "customerToken": customerToken = try json.uuid()
            case "storefront": storefront = try json.string()
            case "appTransactionID": appTransactionID = try json.string()
            case "previousOriginalID": previousOriginalID = try json.string()
            case "purchaseID": purchaseID = try json.string()
            case "isBookedElsewhere": isBookedElsewhere = try json.bool()
            case "isKindAssumed": isKindAssumed = try json.bool()
            case "commitment": commitment = try Commitment(from: &json)
            case "startsAt": startsAt = try json.date()
            case "wholePrice": wholePrice = try Money(from: &json)
            default: try json.skip()
            }
        }
        guard let id, let originalID, let productID, let kind, let purchasedAt, let quantity, let isFamilyShared
        else { throw EventJSON.Incomplete() }
        self.init(
            id: id,
            originalID: originalID,
            productID: productID,
            kind: kind,
            purchasedAt: purchasedAt,
            expiresAt: expiresAt,
            price: price,
            quantity: Int(quantity),
            reason: reason,
            isFamilyShared: isFamilyShared,
            isAssigned: isAssigned,
            seats: seats,
            offer: offer,
            revocation: revocation,
            isUpgraded: isUpgraded,
            replacesWithoutCredit: replacesWithoutCredit,
            customerToken: customerToken,
            storefront: storefront,
            appTransactionID: appTransactionID,
            previousOriginalID: previousOriginalID,
            purchaseID: purchaseID,
            isBookedElsewhere: isBookedElsewhere,
            isKindAssumed: isKindAssumed,
            commitment: commitment
        )
        self.additionTo = additionTo
        (self.startsAt, self.wholePrice) = (startsAt, wholePrice)
    }
}

extension StoreTransaction.Seats {
    fileprivate func writeMembers(to json: inout JSONPrinter) {
        json.member("revoked", revoked.map(Int64.init))
        json.member("milliPercent", milliPercent.map(Int64.init))
        json.member("isAddition", isAddition)
        json.member("invitations", invitations)
        json.member("refundedAt", refundedAt)
    }

    fileprivate init(from json: inout JSONScanner) throws {
        self.init()
        try json.object { json, name in
            switch name {
            case "revoked": revoked = Int(try json.integer())
            case "milliPercent": milliPercent = Int(try json.integer())
            case "isAddition": isAddition = try json.bool()
            case "invitations": invitations = try json.name(as: StoreTransaction.Invitations.self)
            case "refundedAt": refundedAt = try json.date()
            default: try json.skip()
            }
        }
    }
}

extension StoreTransaction.Offer {
    fileprivate func writeMembers(to json: inout JSONPrinter) {
        json.member("kind", kind)
        json.member("identifier", identifier)
        json.member("isFreeTrial", isFreeTrial)
    }

    fileprivate init(from json: inout JSONScanner) throws {
        var (kind, identifier, isFreeTrial): (Kind?, String?, Bool?)
        try json.object { json, name in
            switch name {
            case "kind": kind = try json.name(as: Kind.self)
            case "identifier": identifier = try json.string()
            case "isFreeTrial": isFreeTrial = try json.bool()
            default: try json.skip()
            }
        }
        guard let isFreeTrial else { throw EventJSON.Incomplete() }
        self.init(kind: kind, identifier: identifier, isFreeTrial: isFreeTrial)
    }
}

extension Commitment {
    fileprivate func writeMembers(to json: inout JSONPrinter) {
        json.member("period", period.map(Int64.init))
        json.member("periods", periods.map(Int64.init))
        json.member("endsAt", endsAt)
        json.member("price", price)
    }

    fileprivate init(from json: inout JSONScanner) throws {
        var (period, periods, endsAt, price): (Int64?, Int64?, Date?, Money?)
        try json.object { json, name in
            switch name {
            case "period": period = try json.integer()
            case "periods": periods = try json.integer()
            case "endsAt": endsAt = try json.date()
            case "price": price = try Money(from: &json)
            default: try json.skip()
            }
        }
        self.init(period: period.map { Int($0) }, periods: periods.map { Int($0) }, endsAt: endsAt, price: price)
    }
}

extension StoreTransaction.Revocation {
    fileprivate func writeMembers(to json: inout JSONPrinter) {
        json.member("at", at)
        json.member("reason", reason.map(Int64.init))
        json.member("milliPercent", milliPercent.map(Int64.init))
        json.member("amount", amount)
        json.member("keepsAccess", keepsAccess)
    }

    fileprivate init(from json: inout JSONScanner) throws {
        var (at, reason, milliPercent, keepsAccess): (Date?, Int64?, Int64?, Bool?)
        var amount: Money?
        try json.object { json, name in
            switch name {
            case "at": at = try json.date()
            case "reason": reason = try json.integer()
            case "milliPercent": milliPercent = try json.integer()
            case "amount": amount = try Money(from: &json)
            case "keepsAccess": keepsAccess = try json.bool()
            default: try json.skip()
            }
        }
        guard let at else { throw EventJSON.Incomplete() }
        self.init(
            at: at,
            reason: reason.map { Int($0) },
            milliPercent: milliPercent.map { Int($0) },
            amount: amount,
            keepsAccess: keepsAccess
        )
    }
}

extension Money {
    init(from json: inout JSONScanner) throws {
        var (minorUnits, currency): (Int64?, Currency?)
        try json.object { json, name in
            switch name {
            case "minorUnits": minorUnits = try json.integer()
            case "currency": currency = Currency(try json.string())
            default: try json.skip()
            }
        }
        guard let minorUnits, let currency else { throw EventJSON.Incomplete() }
        self.init(minorUnits: minorUnits, currency: currency)
    }
}
