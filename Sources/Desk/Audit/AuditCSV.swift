import Foundation
import HTTP
import NIOCore
import Operations
import Storage

/// The audit log as a file.
enum AuditCSV {
    static let batch = 1_000

    static var heading: ByteBuffer {
        var text = CSVText()
        text.heading([
            "number", "at", "app", "actor", "role", "action", "object_type", "object_id", "before", "after", "reason",
            "request_id", "address", "id", "sha256",
        ])
        return ByteBuffer(bytes: CSVText.byteOrderMark + text.bytes)
    }

    static func lines(_ rows: [AuditRow], for reader: some PersonalDataReader) -> ByteBuffer {
        var text = CSVText()
        for row in rows {
            text.row([
                .plain(row.number.map(String.init)),
                .plain(row.at.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))),
                .text(row.app), .text(row.actor), .plain(row.role?.rawValue), .plain(row.action), .text(row.objectType),
                .text(row.objectID), .text(row.before?.shown(to: reader)), .text(row.after?.shown(to: reader)),
                .text(row.reason?.shown(to: reader)), .text(row.requestID), .text(row.address?.shown(to: reader)),
                .plain(row.id.uuidString.lowercased()), .plain(row.hash?.hexadecimal),
            ])
        }
        return ByteBuffer(bytes: text.bytes)
    }
}
