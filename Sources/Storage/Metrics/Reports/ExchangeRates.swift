package import Billing
import Postgres

/// The price of one euro in a currency on a day, as the European Central Bank publishes it.
package struct ExchangeRate: Hashable, Sendable {
    package var currency: Currency
    package var day: BusinessDay
    /// A decimal number above zero, digit for digit as it was published: "7.8231".
    package var perEuro: String

    package init(currency: Currency, day: BusinessDay, perEuro: String) {
        self.currency = currency
        self.day = day
        self.perEuro = perEuro
    }
}

extension WriteTransaction {
    package var rates: ExchangeRateWrites { ExchangeRateWrites(transaction: self) }
}

package struct ExchangeRateWrites: Sendable {
    let transaction: WriteTransaction

    /// The first and the last day that a rate is known of; nil for none.
    package func days() async throws -> ClosedRange<BusinessDay>? {
        let rows = try await transaction.query("SELECT min(day), max(day) FROM exchange_rates")
        guard let (first, last) = try rows.first?.decode(BusinessDay?.self, BusinessDay?.self), let first, let last
        else {
            return nil
        }
        return first...max(first, last)
    }

    /// - Returns: how many rates were new or different.
    package func save(_ rates: [ExchangeRate]) async throws -> Int {
        let rows = try await transaction.query(
            """
            WITH saved AS (
                INSERT INTO exchange_rates AS r (currency, day, per_euro)
                SELECT currency, day::date, per_euro::numeric
                FROM unnest(\(rates.map(\.currency.code)), \(rates.map(\.day.description)), \(rates.map(\.perEuro)))
                    AS published (currency, day, per_euro)
                ON CONFLICT (currency, day) DO UPDATE SET per_euro = excluded.per_euro
                WHERE r.per_euro <> excluded.per_euro
                RETURNING 1
            )
            SELECT count(*) FROM saved
            """
        )
        return try rows.first?.decode(0, as: Int.self) ?? 0
    }
}
