import Billing

/// A bill's file: a line of names, lines of values with a backtick before each, and two lines that sum them up (payments.md; the bill
/// pages of WeChat Pay).
struct WeChatPayTable {
    /// By their names, each with its line's number in the file.
    private(set) var rows: [(line: Int, values: [String: String])] = []
    /// Lines that have another number of values than names.
    private(set) var unreadable: [String] = []
    /// False where the file broke off: the sum at its end is missing, or counts more lines.
    private(set) var isWhole = false
    /// The sums at its end, by their names, and their line; empty where the file broke off.
    private(set) var sums: (line: Int, values: [String: String]) = (0, [:])

    /// - Parameter sum: the first name of the line that begins the sum.
    init(_ file: [UInt8], sum: String) {
        var names: [String] = []
        var sums: [String]?
        for (index, bytes) in file.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated() {
            let text = Self.text(bytes)
            guard !text.isEmpty else { continue }
            let values = Self.values(in: text)
            if names.isEmpty {
                names = values
            } else if let sums {
                let count = values.first.flatMap { Int($0) }
                isWhole = values.count == sums.count && count == rows.count + unreadable.count
                if isWhole { self.sums = (index + 1, Dictionary(zip(sums, values)) { first, _ in first }) }
                return
            } else if values.first == sum {
                sums = values
            } else if values.count == names.count {
                rows.append((index + 1, Dictionary(zip(names, values)) { first, _ in first }))
            } else {
                unreadable.append("line \(index + 1) has \(values.count) values instead of \(names.count)")
            }
        }
        dropTornLine(of: file)
    }

    /// The last line of a file that broke off within it may have all values, and the last of them in part.
    private mutating func dropTornLine(of file: [UInt8]) {
        guard let last = rows.last, file.last != UInt8(ascii: "\n") else { return }
        let lines = file.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).count
        guard last.line == lines else { return }
        rows.removeLast()
        unreadable.append("line \(last.line) breaks off")
    }

    /// Compares a sum with the column that it is of.
    ///
    /// - Returns: what is wrong, in a sentence; nil where it agrees, and where the file has no such sum or column.
    func disagreement(of sum: String, with column: String) -> String? {
        guard let told = sums.values[sum] else { return nil }
        let amounts = rows.map { WeChatPayYuan.money($0.values[column] ?? "")?.minorUnits }
        guard rows.isEmpty || rows.contains(where: { $0.values[column] != nil }), amounts.allSatisfy({ $0 != nil })
        else {
            return nil
        }
        guard WeChatPayYuan.sum(told) != amounts.compactMap(\.self).boundedSum else { return nil }
        return "line \(sums.line): \(sum) is not the sum of the lines"
    }

    /// Without the mark at the beginning of a file and the carriage return at a line's end.
    private static func text(_ line: some Collection<UInt8>) -> String {
        var bytes = Array(line)
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
        if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// A value may have a comma: the backtick begins each. Names come with it or without.
    private static func values(in line: String) -> [String] {
        guard line.hasPrefix("`") else {
            return line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        }
        var values: [String] = []
        var rest = Array(line.utf8.dropFirst())[...]
        var value: [UInt8] = []
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: ","), rest.first == UInt8(ascii: "`") {
                rest = rest.dropFirst()
                values.append(String(decoding: value, as: UTF8.self))
                value = []
            } else {
                value.append(byte)
            }
        }
        values.append(String(decoding: value, as: UTF8.self))
        return values
    }
}
