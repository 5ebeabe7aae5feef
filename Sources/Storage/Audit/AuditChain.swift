package import Foundation
import Postgres

/// The end of the audit chain, by its separate record and by the chain itself.
package struct AuditHead: Sendable, Hashable {
    package var number: Int64
    package var hash: [UInt8]
    /// The last link there is; 0 without any.
    package var lastLink: Int64

    package init(number: Int64, hash: [UInt8], lastLink: Int64) {
        self.number = number
        self.hash = hash
        self.lastLink = lastLink
    }
}

/// One link of the audit chain with the entry that it is for.
package struct AuditLink: Sendable, Hashable {
    package var number: Int64
    package var entry: UUID
    package var hash: [UInt8]
    /// The format of the hash: 1 covers all columns but the customer, 2 every column and the version itself.
    package var version: Int16
    /// The entry's columns as texts, in the order of the table, the moment in microseconds since 1970; nil without entry.
    package var columns: Personal<[String?]>?

    package init(number: Int64, entry: UUID, hash: [UInt8], version: Int16, columns: Personal<[String?]>?) {
        self.number = number
        self.entry = entry
        self.hash = hash
        self.version = version
        self.columns = columns
    }
}

extension AuditReads {
    /// nil when the record was taken away.
    package func head() async throws -> AuditHead? {
        let rows = try await reader.query(
            "SELECT number, hash, coalesce((SELECT max(number) FROM audit_chain), 0) FROM audit_head"
        )
        return try rows.first.map { row in
            let (number, hash, last) = try row.decode(Int64.self, [UInt8].self, Int64.self)
            return AuditHead(number: number, hash: hash, lastLink: last)
        }
    }

    /// The next links behind a number, in order.
    package func links(after number: Int64, limit: Int = 1_000) async throws -> [AuditLink] {
        let rows = try await reader.query(
            """
            SELECT c.number, c.entry_id, c.hash, c.version, e.id IS NOT NULL, e.id::text,
                ((extract(epoch FROM e.at) * 1000000)::bigint)::text, e.app_id::text, e.staff_id::text, e.actor,
                e.role, e.action, e.object_type, e.object_id, e.before::text, e.after::text, e.reason, e.request_id,
                e.address, e.customer_id::text
            FROM audit_chain c
            LEFT JOIN audit_entries e ON e.id = c.entry_id
            WHERE c.number > \(number)
            ORDER BY c.number
            LIMIT \(limit)
            """
        )
        return try rows.map { row in
            var columns = try row.columns(20)
            let (number, entry, hash): (Int64, UUID, [UInt8]) = (
                try columns.next(), try columns.next(), try columns.next()
            )
            let (version, exists): (Int16, Bool) = (try columns.next(), try columns.next())
            let texts: [String?] = try (0..<15).map { _ in try columns.next() }
            return AuditLink(
                number: number,
                entry: entry,
                hash: hash,
                version: version,
                columns: exists ? Personal(texts) : nil
            )
        }
    }

    /// The hash of one link; nil when there is no such link.
    package func hash(ofLink number: Int64) async throws -> [UInt8]? {
        try await reader.query("SELECT hash FROM audit_chain WHERE number = \(number)").first?
            .decode(0, as: [UInt8].self)
    }

    /// The earliest entry that no link is for; there is none unless somebody went round the triggers.
    package func unchainedEntry() async throws -> UUID? {
        try await reader.query(
            """
            SELECT e.id
            FROM audit_entries e
            WHERE NOT EXISTS (SELECT FROM audit_chain c WHERE c.entry_id = e.id)
            ORDER BY e.at, e.id
            LIMIT 1
            """
        ).first?.decode(0, as: UUID.self)
    }
}
