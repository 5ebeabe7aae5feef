package import Billing
package import Postgres

extension Currency: PostgresDecodable {
    package init(postgres cell: Cell) throws {
        let code = try String(postgres: cell)
        guard let currency = Currency(code) else { throw cell.mismatch("\(code) is no ISO 4217 code") }
        self = currency
    }
}
