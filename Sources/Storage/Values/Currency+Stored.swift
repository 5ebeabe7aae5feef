import Billing
import Postgres

extension Currency {
    /// A code as the database keeps it.
    init(stored code: String) throws {
        guard let currency = Currency(code) else { throw PostgresError(.decoding, "\(code) is no ISO 4217 code") }
        self = currency
    }
}
