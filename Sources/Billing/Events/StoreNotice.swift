package import Foundation

/// A store's message about an app, a customer or an order of ours, and not yet about a subscription.
package enum StoreNotice: Hashable, Sendable {
    /// The renewal dates of all active subscribers of a product were extended, as far as that was possible.
    case extensionCompleted(ExtensionSummary)
    /// A purchase outside of the store that has to be reported to it.
    case externalPurchase(ExternalPurchaseNotice)
    /// A parent withdrew the consent to their child's use of the app.
    case consentRescinded(RescindedConsent)
    /// The store ended claims of seats by itself.
    case seatsUnclaimed(UnclaimedSeats)
    /// One of our orders was paid.
    case payment(StorePayment)
    /// A refund of one of our orders, by whomever it was asked for.
    case refund(StoreRefundNotice)

    package struct ExtensionSummary: Hashable, Sendable {
        /// The identifier of the request for the extension.
        package var requestIdentifier: String
        package var productID: String
        /// ISO 3166-1 alpha-3; empty for all.
        package var storefronts: [String]
        package var succeeded: Int64
        package var failed: Int64

        package init(
            requestIdentifier: String,
            productID: String,
            storefronts: [String],
            succeeded: Int64,
            failed: Int64
        ) {
            self.requestIdentifier = requestIdentifier
            self.productID = productID
            self.storefronts = storefronts
            self.succeeded = succeeded
            self.failed = failed
        }
    }

    package struct ExternalPurchaseNotice: Hashable, Sendable {
        /// The store's id of the token.
        package var externalPurchaseID: String
        package var state: ExternalPurchaseState
        package var createdAt: Date?
        /// In the store's own words.
        package var tokenType: String?
        package var expiresAt: Date?

        package init(
            externalPurchaseID: String,
            state: ExternalPurchaseState,
            createdAt: Date?,
            tokenType: String?,
            expiresAt: Date?
        ) {
            self.externalPurchaseID = externalPurchaseID
            self.state = state
            self.createdAt = createdAt
            self.tokenType = tokenType
            self.expiresAt = expiresAt
        }
    }

    package struct UnclaimedSeats: Hashable, Sendable {
        /// The store's ids of the claims.
        package var claimIDs: [String]

        package init(claimIDs: [String]) {
            self.claimIDs = claimIDs
        }
    }

    package struct RescindedConsent: Hashable, Sendable {
        /// The account that installed the app (Apple's `appTransactionId`).
        package var appTransactionID: String

        package init(appTransactionID: String) {
            self.appTransactionID = appTransactionID
        }
    }
}

/// The store's state of an external purchase token. The database keeps the raw values.
package enum ExternalPurchaseState: String, Hashable, Sendable, Codable, CaseIterable {
    /// The app created it; purchases made with it have to be reported.
    case created
    /// The store's monthly reminder that it is still to be reported.
    case reminded
    /// The store has no report of it.
    case unreported
}

extension StoreNotice {
    /// The reason that the database cannot keep its identifiers and counts.
    ///
    /// - Returns: nil if it can.
    package var problem: String? {
        switch self {
        case .extensionCompleted(let summary):
            guard (0...Int64.max).contains(summary.succeeded), (0...Int64.max).contains(summary.failed) else {
                return "The summary counts less than nothing."
            }
            guard summary.storefronts.count <= 500 else { return "The summary names more than 500 storefronts." }
            return Self.problem(of: [summary.requestIdentifier, summary.productID] + summary.storefronts, dates: [])
        case .externalPurchase(let token):
            return Self.problem(
                of: [token.externalPurchaseID] + [token.tokenType].compactMap(\.self),
                dates: [token.createdAt, token.expiresAt]
            )
        case .seatsUnclaimed(let claims):
            guard claims.claimIDs.count <= 10_000 else { return "The notification names more than 10,000 claims." }
            return Self.problem(of: claims.claimIDs, dates: [])
        case .consentRescinded(let consent): return Self.problem(of: [consent.appTransactionID], dates: [])
        case .payment(let payment):
            return Self.problem(of: [payment.number, payment.transactionID], dates: [payment.paidAt])
        case .refund(let refund):
            return Self.problem(
                of: [refund.orderNumber, refund.transactionID]
                    + [refund.number, refund.standing.storeID].compactMap(\.self),
                dates: [refund.standing.succeededAt]
            )
        }
    }

    private static func problem(of texts: [String], dates: [Date?]) -> String? {
        guard
            texts.allSatisfy({
                (1...StoreEvent.longestIdentifier).contains($0.utf8.count) && !$0.utf8.contains(0)
            })
        else {
            return "An identifier is empty, is longer than \(StoreEvent.longestIdentifier) bytes or has a NUL in it."
        }
        guard dates.compactMap(\.self).allSatisfy(StoreEvent.possibleDates.contains) else {
            return "A date lies outside the years 1970 to 2999."
        }
        return nil
    }
}
