import Billing

/// Turns the rows of a COPY, which PostgreSQL writes as CSV, into those of a file: amounts with their currency's digits, times with
/// their zone's offset, and no text that a spreadsheet would take for a formula.
///
/// The bytes are looked at once and kept no longer than until their row is whole.
struct CopiedRows {
    private(set) var count = 0
    var text = CSVText()
    private let kinds: [ListExport.Kind]
    /// The beginning of a row whose end has not come.
    private var rest: [UInt8] = []
    private var digits = CurrencyDigits()

    /// Begins with the byte order mark and the headings.
    init(of list: ListExport) {
        kinds = list.columns.map(\.kind)
        text.mark()
        for heading in list.headings { text.text(heading.utf8) }
        text.endRow()
    }

    /// - Parameter offset: seconds east of UTC at a moment in seconds since 1970.
    /// - Throws: `BrokenRow` for what is no row of the list.
    mutating func add(_ piece: [UInt8], offset: (Int) -> Int) throws {
        let input = rest.isEmpty ? piece : rest + piece
        var start = 0
        try input.withUnsafeBufferPointer { input in
            while let end = try row(in: input, from: start, offset) { start = end }
        }
        rest = start == input.count ? [] : Array(input[start...])
    }

    /// - Throws: `BrokenRow` when a row was cut off.
    func finish() throws {
        guard rest.isEmpty else { throw BrokenRow() }
    }

    /// What came is not what COPY writes.
    struct BrokenRow: Error {}

    /// Writes one row and says where the next begins; nil when its end is not there.
    private mutating func row(
        in input: UnsafeBufferPointer<UInt8>,
        from start: Int,
        _ offset: (Int) -> Int
    ) throws -> Int? {
        let written = text.bytes.count
        var position = start
        var amount: UnsafeBufferPointer<UInt8>?
        for kind in kinds {
            guard let end = Self.end(of: position, in: input) else {
                text.takeBack(to: written)
                return nil
            }
            let field = UnsafeBufferPointer(rebasing: input[position..<end])
            if let minorUnits = amount {
                if minorUnits.isEmpty || field.isEmpty {
                    text.nothing()
                } else {
                    text.copiedAmount(minorUnits, digits: try digits.of(field))
                }
                amount = nil
            }
            switch kind {
            case .text: text.copied(field)
            case .plain: text.copiedNumber(field)
            case .amount: amount = field
            case .time: try time(field, offset)
            }
            position = end + 1
        }
        guard input[position - 1] == 0x0A else { throw BrokenRow() }
        text.endRow()
        count += 1
        return position
    }

    /// Where a field's comma or line end is; nil when it is not there.
    private static func end(of start: Int, in input: UnsafeBufferPointer<UInt8>) -> Int? {
        var position = start
        if position < input.count, input[position] == 0x22 {
            position += 1
            while position < input.count {
                guard input[position] == 0x22 else {
                    position += 1
                    continue
                }
                // Two quotes are one that stands in the text.
                guard position + 1 < input.count else { return nil }
                guard input[position + 1] == 0x22 else { return position + 1 }
                position += 2
            }
            return nil
        }
        while position < input.count {
            if input[position] == 0x2C || input[position] == 0x0A { return position }
            position += 1
        }
        return nil
    }

    /// "2026-11-21 10:37:05.25+00"
    private mutating func time(_ field: UnsafeBufferPointer<UInt8>, _ offset: (Int) -> Int) throws {
        guard !field.isEmpty else { return text.nothing() }
        guard field.count >= 22, field[4] == 0x2D, field[10] == 0x20, field[field.count - 3] == 0x2B else {
            throw BrokenRow()
        }
        func number(_ start: Int, _ count: Int) -> Int {
            (start..<start + count).reduce(0) { $0 * 10 + Int(field[$1]) - 0x30 }
        }
        let days = BusinessDay.number(year: number(0, 4), month: number(5, 2), day: number(8, 2))
        let seconds = days * 86_400 + number(11, 2) * 3_600 + number(14, 2) * 60 + number(17, 2)
        text.time(seconds: seconds, offset: offset(seconds))
    }
}

/// How many digits the currencies of a file have; of the last one without asking again.
private struct CurrencyDigits {
    private var code: (UInt8, UInt8, UInt8) = (0, 0, 0)
    private var digits = 0

    mutating func of(_ field: UnsafeBufferPointer<UInt8>) throws -> Int {
        guard field.count == 3 else { throw CopiedRows.BrokenRow() }
        if code != (field[0], field[1], field[2]) {
            guard let currency = Currency(String(decoding: field, as: UTF8.self)) else { throw CopiedRows.BrokenRow() }
            code = (field[0], field[1], field[2])
            digits = currency.digits
        }
        return digits
    }
}
