import Billing
import Foundation

/// Dates as receipts write them: RFC 3339, also with an offset without a colon (Xcode's `+0100`).
enum AppleReceiptDate {
    /// In whole seconds; nil for anything else, and for a day that no calendar has.
    static func date(_ text: String) -> Date? {
        Date(rfc3339: text, takesBareOffsets: true)
            .map { Date(timeIntervalSince1970: $0.timeIntervalSince1970.rounded(.down)) }
    }
}
