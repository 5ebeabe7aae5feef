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
        text.row([
            "number", "at", "app", "actor", "role", "action", "object_type", "object_id", "before", "after", "reason",
            "request_id", "address", "id", "sha256",
        ])
        return ByteBuffer(bytes: CSVText.byteOrderMark + text.bytes)
    }

    static func lines(_ rows: [AuditRow], for reader: some PersonalDataReader) -> ByteBuffer {
        var text = CSVText()
        for row in rows {
            text.row([
                row.number.map(String.init),
                row.at.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true)),
                row.app, row.actor, row.role?.rawValue, row.action, row.objectType, row.objectID,
                row.before?.shown(to: reader), row.after?.shown(to: reader), row.reason?.shown(to: reader),
                row.requestID,
                row.address?.shown(to: reader), row.id.uuidString.lowercased(), row.hash?.hexadecimal,
            ])
        }
        return ByteBuffer(bytes: text.bytes)
    }
}
