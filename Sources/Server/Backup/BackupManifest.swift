package import Foundation
package import Storage

/// The description of a backup: `manifest.json` next to the dump.
package struct BackupManifest: Codable, Sendable, Equatable {
    /// The format of the files; 1 is the only one so far.
    package var format = 1
    package var madeAt: Date
    /// The major version of the PostgreSQL that the dump was made of; an older one cannot read it.
    package var postgresVersion: Int
    /// Of `database.dump`, in bytes and as a SHA-256 in hexadecimal digits.
    package var dumpSize: Int
    package var dumpSHA256: String
    /// True if it was restored once, and found to be the same, before it was called a backup.
    package var isChecked: Bool
    /// True if the audit log was computed anew then; it is not when the schema is that of another version.
    package var isAuditChecked: Bool
    package var facts: DatabaseFacts

    /// "1204 rows in 46 tables, 118203 bytes", for the terminal.
    package var contents: String {
        "\(facts.rows.values.reduce(0, +)) rows in \(facts.rows.count) tables, \(dumpSize) bytes"
    }

    static func decoded(_ data: Data) throws -> Self {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        return try decoder.decode(Self.self, from: data)
    }

    func encoded() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .iso8601
        return try encoder.encode(self) + Data("\n".utf8)
    }
}
