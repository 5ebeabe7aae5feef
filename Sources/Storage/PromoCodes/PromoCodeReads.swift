package import Billing
import Postgres

extension Reader {
    package var promoCodes: PromoCodeReads { PromoCodeReads(reader: self) }
}

/// The place of a code: its batch, and its number there.
package struct PromoCodePlace: Sendable, Hashable {
    package var batch: PromoBatch.ID
    /// From 1.
    package var number: Int

    package init(batch: PromoBatch.ID, number: Int) {
        self.batch = batch
        self.number = number
    }
}

package struct PromoCodeReads: Sendable {
    let reader: Reader

    /// The code of this hash; nil where the app has none.
    package func find(_ hash: [UInt8], of app: App.ID) async throws -> PromoCodePlace? {
        let rows = try await reader.query(
            """
            SELECT c.batch_id, c.number
            FROM promo_codes c
            JOIN promo_batches b ON b.id = c.batch_id
            WHERE c.code_hash = \(hash) AND b.app_id = \(app)
            """
        )
        guard var columns = try rows.first?.columns(2) else { return nil }
        return PromoCodePlace(batch: try columns.next(), number: try columns.next())
    }

    /// The number of redemptions of the next codes of a batch, in the order of their numbers.
    ///
    /// - Parameters:
    ///   - number: the number of the code before them; 0 for the first page.
    ///   - limit: the maximum number of codes.
    package func uses(of batch: PromoBatch.ID, after number: Int, limit: Int) async throws -> [(number: Int, uses: Int)]
    {
        try await reader.query(
            """
            SELECT number, uses
            FROM promo_codes
            WHERE batch_id = \(batch) AND number > \(number, as: Int32.self)
            ORDER BY number
            LIMIT \(limit)
            """
        ).map { row in
            var columns = try row.columns(2)
            return (number: try columns.next(), uses: try columns.next())
        }
    }
}
