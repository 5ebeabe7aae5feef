package import Billing
import Foundation
import Postgres

/// A customer's credits, with the orders that brought them.
package struct CustomerCredits: Sendable, Hashable {
    /// Without features of which nothing is left or owed.
    package var books: [FeatureRecord.ID: CreditBook] = [:]
    /// The numbers of the orders.
    package var numbers: [Order.ID: String] = [:]

    package init() {}
}

extension Reader {
    package var credits: CreditReads { CreditReads(reader: self) }
}

/// The reads of customers' credits.
package struct CreditReads: Sendable {
    let reader: Reader

    /// The credits that a customer has left or owes; those of a store's sandbox only where it gives the customer access.
    package func all(of customer: Customer.ID) async throws -> CustomerCredits {
        let rows = try await reader.query(
            """
            SELECT b.feature_id, o.number, \(CreditBucket.columns)
            FROM credit_buckets b
            JOIN orders o ON o.id = b.order_id
            WHERE b.customer_id = \(customer) AND \(CreditBucket.matter(at: reader.now))
                AND NOT \(SandboxPurchases.areWithheld(in: "o.environment", from: "b.customer_id"))
            """
        )
        var credits = CustomerCredits()
        var buckets: [FeatureRecord.ID: [CreditBucket]] = [:]
        for row in rows {
            var columns = try row.columns(10)
            let (feature, number): (FeatureRecord.ID, String) = (try columns.next(), try columns.next())
            let bucket = try CreditBucket(&columns)
            buckets[feature, default: []].append(bucket)
            credits.numbers[bucket.id] = number
        }
        credits.books = buckets.mapValues { CreditBook($0) }
        return credits
    }
}
