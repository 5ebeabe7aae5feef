import Billing
import Foundation
import HTTP
import NIOCore
import Storage

/// The result of a job as a file.
enum BulkCSV {
    static var heading: ByteBuffer {
        var text = CSVText()
        text.heading([
            "line", "input", "customer_id", "result", "reason", "plan_before", "until_before", "plan_after",
            "until_after",
        ])
        return ByteBuffer(bytes: CSVText.byteOrderMark + text.bytes)
    }

    static func lines(_ rows: [BulkJobItem], for reader: some PersonalDataReader) -> ByteBuffer {
        var text = CSVText()
        for row in rows {
            text.row([
                .plain(String(row.line)), .text(row.input.shown(to: reader)), .plain(row.customer?.description),
                .plain(row.state.rawValue), .plain(row.rejectionReason), .text(row.before.plan),
                .plain(row.before.until?.formatted(.iso8601)), .text(row.after.plan),
                .plain(row.after.until?.formatted(.iso8601)),
            ])
        }
        return ByteBuffer(bytes: text.bytes)
    }
}
