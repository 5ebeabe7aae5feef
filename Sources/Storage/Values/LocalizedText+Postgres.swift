package import Billing
import Foundation
package import Postgres

/// `jsonb`: one member a language.
extension LocalizedText: PostgresEncodable {
    package static var postgresType: PostgresType { JSONText.postgresType }

    package func encode(into bytes: inout [UInt8]) throws {
        try JSONText(bytes: Array(try JSONEncoder().encode(texts))).encode(into: &bytes)
    }
}

extension LocalizedText: PostgresDecodable {
    package init(postgres cell: Cell) throws {
        let json = try JSONText(postgres: cell)
        self.init(try JSONDecoder().decode([String: String].self, from: Data(json.bytes)))
    }
}
