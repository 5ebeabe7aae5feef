import Billing
import HTTP
import Storage

/// A file that is being written.
struct CSVFile {
    private var csv = CSVText()
    private(set) var rows = 0

    var bytes: [UInt8] { CSVText.byteOrderMark + csv.bytes }

    init(_ names: [String]) {
        csv.heading(names)
    }

    mutating func text(_ values: String...) {
        for value in values { csv.text(value.utf8) }
    }

    /// Days, times and words of ours.
    mutating func plain(_ values: String...) {
        for value in values { csv.plain(value) }
    }

    mutating func counts(_ numbers: [Int64?]) {
        for number in numbers { amount(number, digits: 0) }
    }

    mutating func amounts(_ amounts: [Int64?], _ currency: Currency) {
        for amount in amounts { self.amount(amount, digits: currency.digits) }
    }

    /// - Parameter digits: the number of its digits that stand behind the point.
    mutating func amount(_ number: Int64?, digits: Int) {
        if let number { csv.amount(number, digits: digits) } else { csv.nothing() }
    }

    mutating func endRow() {
        csv.endRow()
        rows += 1
    }
}
