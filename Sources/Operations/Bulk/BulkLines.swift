/// The customers that a text names, one a line: the first field of a CSV file, or just lines.
package enum BulkLines {
    /// Words that a first line may begin with when it names the columns.
    private static let headers: Set<String> = [
        "customer", "customer_id", "customer id", "id", "external_id", "external id", "email", "e-mail", "key",
    ]

    /// The first field of each line that is not empty. A byte order mark and a line of column names are left out.
    package static func read(_ text: String) -> [String] {
        var fields: [String] = []
        var field: [UInt8] = []
        var (isQuoted, isFirst, sawQuote) = (false, true, false)
        func end() {
            let text = String(decoding: field, as: UTF8.self)
            let start = text.drop { $0.isWhitespace || $0 == "\u{FEFF}" }
            let trimmed = String(start.reversed().drop { $0.isWhitespace }.reversed())
            if !trimmed.isEmpty { fields.append(trimmed) }
            field = []
            (isQuoted, isFirst, sawQuote) = (false, true, false)
        }
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""):
                if isQuoted {
                    isQuoted = false
                    sawQuote = true
                } else {
                    // Two in a row inside quotes are one.
                    if sawQuote, isFirst { field.append(byte) }
                    isQuoted = true
                }
            case UInt8(ascii: "\n") where !isQuoted, UInt8(ascii: "\r") where !isQuoted: end()
            case UInt8(ascii: ",") where !isQuoted, UInt8(ascii: ";") where !isQuoted,
                UInt8(ascii: "\t") where !isQuoted:
                isFirst = false
            default:
                sawQuote = false
                if isFirst { field.append(byte) }
            }
        }
        end()
        if let first = fields.first, headers.contains(first.lowercased()) { fields.removeFirst() }
        return fields
    }
}
