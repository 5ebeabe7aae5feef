package import Billing
import Foundation
package import Postgres

extension Identifier: PostgresEncodable {
    package static var postgresType: PostgresType { UUID.postgresType }

    package func encode(into bytes: inout [UInt8]) {
        uuid.encode(into: &bytes)
    }
}

extension Identifier: PostgresDecodable {
    package init(postgres cell: Cell) throws {
        self.init(try UUID(postgres: cell))
    }
}
