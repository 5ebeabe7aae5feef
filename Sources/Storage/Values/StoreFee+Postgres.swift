import Billing
import Foundation
import Postgres

extension StoreFee {
    /// The stores' shares of an app's charges, where its catalogue says so.
    static func query(of app: App.ID) -> Query {
        """
        SELECT store, first_year, later, on_ios_only, NULL::text, NULL::timestamptz, NULL::smallint
        FROM store_fees
        WHERE app_id = \(app)
        UNION ALL
        SELECT store, first_year, later, NULL, storefront, nullif(since, '-infinity'), number
        FROM store_terms
        WHERE app_id = \(app)
        ORDER BY 7 NULLS FIRST
        """
    }

    /// - Parameter rows: of `query`.
    static func byStore(_ rows: Rows) throws -> [Store: StoreFee] {
        var fees: [Store: StoreFee] = [:]
        for row in rows {
            let (store, firstYear, later, isOnIOSOnly, storefront, since, number) = try row.decode(
                Store.self,
                Int32?.self,
                Int32?.self,
                Bool?.self,
                String?.self,
                Date?.self,
                Int16?.self
            )
            let share = firstYear.flatMap { first in later.map { Share(firstYear: Int(first), later: Int($0)) } }
            var fee = fees[store] ?? StoreFee()
            if let storefront, let number, let share {
                fee.storefronts.append(
                    StoreTerms(number: Int(number), store: store, storefronts: [storefront], since: since, share: share)
                )
            } else {
                (fee.share, fee.isOnIOSOnly) = (share, isOnIOSOnly ?? false)
            }
            fees[store] = fee
        }
        return fees
    }
}
