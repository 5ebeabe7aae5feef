/// Rows of a text whose cells are separated by commas, semicolons or tabs, as spreadsheets write them (RFC 4180).
struct DelimitedText {
    /// The cells of the lines that are not empty.
    private(set) var rows: [Row] = []

    struct Row {
        /// From 1 on; the first of a cell with line breaks.
        var line: Int
        var cells: [String]
    }

    /// - Parameter separator: nil for one cell a line.
    init(_ text: some Sequence<UInt8>, separator: UInt8?) {
        var reading = Reading(separator: separator)
        for byte in text { reading.take(byte) }
        reading.endRow()
        rows = reading.rows
    }

    /// The separator of a first line: the most frequent one outside of quotation marks; nil where there is none.
    static func separator(of text: some Sequence<UInt8>) -> UInt8? {
        var counts: [UInt8: Int] = [:]
        var (isQuoted, isEmpty) = (false, true)
        for byte in text {
            switch byte {
            case UInt8(ascii: "\""): isQuoted.toggle()
            case UInt8(ascii: ","), UInt8(ascii: ";"), 0x09:
                if !isQuoted { counts[byte, default: 0] += 1 }
            case 0x0A, 0x0D:
                if !isQuoted, !isEmpty { return most(of: counts) }
                continue
            case _: break
            }
            isEmpty = false
        }
        return most(of: counts)
    }

    private static func most(of counts: [UInt8: Int]) -> UInt8? {
        counts.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
    }

    private struct Reading {
        let separator: UInt8?
        var rows: [Row] = []
        private var cells: [String] = []
        private var cell: [UInt8] = []
        private var place = Place.start
        private var line = 1
        private var begun = 1
        private var last: UInt8 = 0

        init(separator: UInt8?) {
            self.separator = separator
        }

        private enum Place {
            /// Of a cell of which nothing but blanks came.
            case start
            case plain
            case quoted
            /// Behind a quotation mark in a quoted cell: it ends it, or is the first of two.
            case behindQuote
        }

        mutating func take(_ byte: UInt8) {
            defer { last = byte }
            if byte == 0x0D || byte == 0x0A && last != 0x0D { line += 1 }
            if place == .quoted {
                if byte == UInt8(ascii: "\"") { place = .behindQuote } else { cell.append(byte) }
                return
            }
            switch byte {
            case 0x0A, 0x0D: endRow()
            case separator: endCell()
            case UInt8(ascii: "\"") where place == .start: (cell, place) = ([], .quoted)
            case UInt8(ascii: "\"") where place == .behindQuote:
                cell.append(byte)
                place = .quoted
            case 0x20, 0x09:
                cell.append(byte)
                if place == .behindQuote { place = .plain }
            case _:
                cell.append(byte)
                place = .plain
            }
        }

        mutating func endRow() {
            endCell()
            if cells.contains(where: { !$0.isEmpty }) { rows.append(Row(line: begun, cells: cells)) }
            (cells, begun) = ([], line)
        }

        private mutating func endCell() {
            let text = String(decoding: cell, as: UTF8.self).drop { $0.isWhitespace }
            cells.append(String(text.reversed().drop { $0.isWhitespace }.reversed()))
            (cell, place) = ([], .start)
        }
    }
}
