import Billing

/// Turns the rows of a COPY in PostgreSQL's binary format (its manual, "COPY", "Binary Format") into those of a file: amounts with their
/// currency's digits, times with their zone's offset, and no text that a spreadsheet would evaluate or change.
///
/// Binary, because PostgreSQL takes longer to write a time as text than we to write it ourselves. The bytes are looked at once and
/// kept no longer than until their row is whole.
struct CopiedRows {
    private(set) var count = 0
    var text = CSVText()
    private let kinds: [ListExport.Kind]
    /// The beginning of a row whose end has not come.
    private var rest: [UInt8] = []
    private var place = Place.header
    private var digits = CurrencyDigits()

    private enum Place {
        case header
        case rows
        /// After the mark that says that no more rows come.
        case end
    }

    /// Begins with the byte order mark and the headings.
    init(of list: ListExport) {
        kinds = list.columns.map(\.kind)
        text.mark()
        text.heading(list.headings)
    }

    /// - Parameter offset: seconds east of UTC at a moment in seconds since 1970.
    /// - Throws: `BrokenRow` for what is no row of the list.
    mutating func add(_ piece: [UInt8], offset: (Int) -> Int) throws {
        let input = rest.isEmpty ? piece : rest + piece
        var start = 0
        try input.withUnsafeBytes { bytes in
            let input = CopiedBytes(bytes: bytes)
            if place == .header, let end = try input.endOfHeader() { (start, place) = (end, .rows) }
            while place == .rows, let end = try row(in: input, from: start, offset) { start = end }
        }
        rest = start == input.count ? [] : Array(input[start...])
        guard place != .end || rest.isEmpty else { throw BrokenRow() }
    }

    /// - Throws: `BrokenRow` when the rows were cut off.
    func finish() throws {
        guard place == .end else { throw BrokenRow() }
    }

    /// The input is not the format that COPY writes.
    struct BrokenRow: Error {}

    /// Writes one row and says where the next begins; nil when its end is not there.
    private mutating func row(in input: CopiedBytes, from start: Int, _ offset: (Int) -> Int) throws -> Int? {
        guard let columns = input.number(at: start, as: Int16.self) else { return nil }
        var position = start + 2
        guard columns >= 0 else {
            place = .end
            return position
        }
        guard columns == kinds.count else { throw BrokenRow() }
        let written = text.bytes.count
        var amount: Int64?
        var isAmountNext = false
        for kind in kinds {
            guard let field = try input.field(at: &position) else {
                text.takeBack(to: written)
                return nil
            }
            if isAmountNext {
                if let amount, let currency = field.value {
                    text.amount(amount, digits: try digits.of(currency))
                } else {
                    text.nothing()
                }
                isAmountNext = false
            }
            guard let value = field.value else {
                if kind == .amount { (amount, isAmountNext) = (nil, true) } else { text.nothing() }
                continue
            }
            switch kind {
            case .text, .personal: text.text(value)
            case .plain: text.copied(value)
            case .id: text.id(try CopiedBytes(bytes: value).id())
            case .amount: (amount, isAmountNext) = (try CopiedBytes(bytes: value).only(Int64.self), true)
            case .time: try time(CopiedBytes(bytes: value).only(Int64.self), offset)
            }
        }
        text.endRow()
        count += 1
        return position
    }

    /// - Parameter moment: microseconds since the beginning of 2000.
    private mutating func time(_ moment: Int64, _ offset: (Int) -> Int) throws {
        // A time without end is none that a file can say.
        guard moment != .max, moment != .min else { throw BrokenRow() }
        let seconds = Int((moment - (moment % 1_000_000 + 1_000_000) % 1_000_000) / 1_000_000) + 946_684_800
        text.time(seconds: seconds, offset: offset(seconds))
    }
}

/// A piece of what COPY wrote.
private struct CopiedBytes {
    let bytes: UnsafeRawBufferPointer

    /// A field's bytes; nil for NULL.
    struct Field {
        var value: UnsafeRawBufferPointer?
    }

    private static let signature: [UInt8] = [0x50, 0x47, 0x43, 0x4F, 0x50, 0x59, 0x0A, 0xFF, 0x0D, 0x0A, 0x00]

    /// The offset of the first row; nil when the header is not complete.
    func endOfHeader() throws -> Int? {
        guard let extensionLength = number(at: 15, as: Int32.self) else { return nil }
        guard bytes[..<11].elementsEqual(Self.signature), extensionLength >= 0 else { throw CopiedRows.BrokenRow() }
        return bytes.count >= 19 + Int(extensionLength) ? 19 + Int(extensionLength) : nil
    }

    /// A number in network byte order; nil when it is not complete.
    func number<Number: FixedWidthInteger>(at position: Int, as type: Number.Type) -> Number? {
        guard position + MemoryLayout<Number>.size <= bytes.count else { return nil }
        return Number(bigEndian: bytes.loadUnaligned(fromByteOffset: position, as: Number.self))
    }

    /// The number that is all there is.
    func only<Number: FixedWidthInteger>(_ type: Number.Type) throws -> Number {
        guard bytes.count == MemoryLayout<Number>.size, let number = number(at: 0, as: type) else {
            throw CopiedRows.BrokenRow()
        }
        return number
    }

    /// The key that is all there is.
    func id() throws -> UnsafeRawBufferPointer {
        guard bytes.count == 16 else { throw CopiedRows.BrokenRow() }
        return bytes
    }

    /// The field that begins at a position, which is moved to its end; nil when the end is not there.
    func field(at position: inout Int) throws -> Field? {
        guard let length = number(at: position, as: Int32.self) else { return nil }
        position += 4
        guard length >= 0 else {
            guard length == -1 else { throw CopiedRows.BrokenRow() }
            return Field(value: nil)
        }
        guard position + Int(length) <= bytes.count else { return nil }
        defer { position += Int(length) }
        return Field(value: UnsafeRawBufferPointer(rebasing: bytes[position..<position + Int(length)]))
    }
}

/// The number of minor digits of the currencies in a file; the last currency's is remembered.
private struct CurrencyDigits {
    private var code: (UInt8, UInt8, UInt8) = (0, 0, 0)
    private var digits = 0

    mutating func of(_ field: UnsafeRawBufferPointer) throws -> Int {
        guard field.count == 3 else { throw CopiedRows.BrokenRow() }
        if code != (field[0], field[1], field[2]) {
            guard let currency = Currency(String(decoding: field, as: UTF8.self)) else { throw CopiedRows.BrokenRow() }
            code = (field[0], field[1], field[2])
            digits = currency.digits
        }
        return digits
    }
}
