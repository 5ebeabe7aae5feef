import Billing
import Foundation
import HTTP
import NIOCore
import Storage

/// The result of a job as a file.
enum BulkCSV {
    static var heading: ByteBuffer {
        var text = CSVText()
        text.row([
            "line", "input", "customer_id", "result", "reason", "plan_before", "until_before", "plan_after",
            "until_after",
        ])
        return ByteBuffer(bytes: CSVText.byteOrderMark + text.bytes)
    }

    static func lines(_ rows: [BulkJobItem], for reader: some PersonalDataReader) -> ByteBuffer {
        var text = CSVText()
        for row in rows {
            text.row([
                String(row.line), row.input.shown(to: reader), row.customer?.description, row.state.rawValue,
                row.rejectionReason, row.before.plan, row.before.until?.formatted(.iso8601), row.after.plan,
                row.after.until?.formatted(.iso8601),
            ])
        }
        return ByteBuffer(bytes: text.bytes)
    }
}
