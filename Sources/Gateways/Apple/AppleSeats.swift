package import Billing

/// Apple's word about a purchase by seats (`multiSeatInfo` of a transaction or of a renewal info, App Store Server API 1.23).
///
/// Nothing in it keeps a purchase waiting: what cannot be read is not known.
package struct AppleSeats: Hashable, Sendable {
    /// `invitationManagement`: APPLE or DEVELOPER, as it was when the purchase was made.
    package let invitations: StoreTransaction.Invitations?
    /// `revokedSeatQuantity`: how many refunds have taken from this transaction so far.
    package let revoked: Int?
    /// The price of all of it, in thousandths of the currency's unit: the sum of its tiers. nil where they cannot be read.
    package let total: Int64?

    init(ofTransaction info: JSON) { self.init(info, tiers: "priceTiers") }

    init(ofRenewal info: JSON) { self.init(info, tiers: "renewalPriceTiers") }

    private init(_ info: JSON, tiers: String) {
        invitations =
            switch info["invitationManagement"]?.string {
            case "APPLE": .store
            case "DEVELOPER": .app
            default: nil
            }
        revoked = info["revokedSeatQuantity"].flatMap(Int.init(seats:))
        total = info[tiers].flatMap(Self.total)
    }

    /// A group's seats fill the dear tiers first: what is charged is the sum of price times quantity, never the price that the
    /// transaction names, which is an average.
    private static func total(of tiers: JSON) -> Int64? {
        guard case .array(let tiers) = tiers, (1...Self.mostTiers).contains(tiers.count) else { return nil }
        var total: Int128 = 0
        for tier in tiers {
            guard case .integer(let price) = tier["price"], price >= 0,
                let quantity = tier["quantity"].flatMap(Int.init(seats:))
            else { return nil }
            total += Int128(price) * Int128(quantity)
        }
        return Int64(exactly: total)
    }

    /// Apple sells in five at most.
    private static let mostTiers = 100
}

extension Int {
    /// A number of seats, none among them; nil for what is none.
    init?(seats: JSON) {
        switch seats {
        case .integer(let count) where count >= 0 && count <= Int64(StoreTransaction.possibleQuantities.upperBound):
            self = Int(count)  // safe: it fits with room
        default: return nil
        }
    }
}
