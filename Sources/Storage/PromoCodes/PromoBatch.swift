package import Billing
package import Foundation
import Postgres

/// Codes that were made together, as pages and programs show them.
package struct PromoBatch: Sendable, Hashable, Identifiable {
    package typealias ID = Identifier<PromoBatch>

    package var id: ID
    package var app: App.ID
    /// As customers read it.
    package var name: String
    /// The channel through which the codes are distributed.
    package var channel: String
    package var terms: PromoTerms
    package var codeCount: Int
    /// The name of its creator.
    package var createdAs: String
    package var createdAt: Date
    /// The name of the person who stopped it; nil while it runs.
    package var stoppedAs: String?

    package init(
        id: ID,
        app: App.ID,
        name: String,
        channel: String,
        terms: PromoTerms,
        codeCount: Int,
        createdAs: String,
        createdAt: Date,
        stoppedAs: String? = nil
    ) {
        self.id = id
        self.app = app
        self.name = name
        self.channel = channel
        self.terms = terms
        self.codeCount = codeCount
        self.createdAs = createdAs
        self.createdAt = createdAt
        self.stoppedAs = stoppedAs
    }
}

/// A batch in a list of them.
package struct ListedPromoBatch: Sendable, Hashable {
    package var batch: PromoBatch
    /// The number of redemptions of its codes; nil for more than are counted.
    package var redemptions: Int?

    package init(batch: PromoBatch, redemptions: Int?) {
        self.batch = batch
        self.redemptions = redemptions
    }

    /// As many redemptions of a batch are counted for a list.
    package static let mostCounted = 10_000
}

/// A redemption in the list of those of a batch.
package struct PromoRedemption: Sendable {
    package typealias ID = Identifier<PromoRedemption>

    package var id: ID
    /// The code's number in its batch: which it was, without saying it.
    package var codeNumber: Int
    package var customer: OrderDetails.Customer
    package var startsAt: Date
    package var endsAt: Date?
    /// True if staff ended its grant.
    package var isWithdrawn: Bool
    package var redeemedAt: Date

    package init(
        id: ID,
        codeNumber: Int,
        customer: OrderDetails.Customer,
        startsAt: Date,
        endsAt: Date?,
        isWithdrawn: Bool = false,
        redeemedAt: Date
    ) {
        self.id = id
        self.codeNumber = codeNumber
        self.customer = customer
        self.startsAt = startsAt
        self.endsAt = endsAt
        self.isWithdrawn = isWithdrawn
        self.redeemedAt = redeemedAt
    }
}

extension PromoBatch {
    static let columns: Query = """
        b.id, b.app_id, b.name, b.channel, plan.code, plan.rank, b.days, b.uses_per_code, b.uses_per_customer, b.starts_at,
        b.expires_at, b.stopped_at, b.code_count, b.created_as, b.created_at, b.stopped_as
        """

    /// The number of those columns.
    static let columnCount = 16

    static let source: Query = "promo_batches b JOIN plans plan ON plan.id = b.plan_id"

    init(_ columns: inout RowColumns) throws {
        self.init(
            id: try columns.next(),
            app: try columns.next(),
            name: try columns.next(),
            channel: try columns.next(),
            terms: PromoTerms(
                plan: Plan(code: try columns.next(), rank: try columns.next()),
                days: try columns.next(),
                usesPerCode: try columns.next(),
                usesPerCustomer: try columns.next(),
                startsAt: try columns.next(),
                expiresAt: try columns.next(),
                stoppedAt: try columns.next()
            ),
            codeCount: try columns.next(),
            createdAs: try columns.next(),
            createdAt: try columns.next(),
            stoppedAs: try columns.next()
        )
    }
}
