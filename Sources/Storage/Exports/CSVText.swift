package import Foundation

/// Writes rows of comma-separated values (RFC 4180) that spreadsheets read as they are meant.
///
/// Text that a spreadsheet would take for a formula gets an apostrophe before it; amounts are plain decimal numbers, and
/// times are ISO 8601 with an offset (dashboard.md, rules 12 and 13).
package struct CSVText: Sendable {
    package private(set) var bytes: [UInt8] = []
    private var isFirst = true

    package init() {}

    /// Tells Excel that what follows is UTF-8.
    package static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// A whole row of texts, nil where nothing is known.
    package mutating func row(_ cells: [String?]) {
        for cell in cells {
            if let cell { text(cell.utf8) } else { nothing() }
        }
        endRow()
    }

    /// Takes what was written so far.
    package mutating func take() -> [UInt8] {
        defer { bytes.removeAll(keepingCapacity: true) }
        return bytes
    }

    package mutating func endRow() {
        bytes += [0x0D, 0x0A]
        isFirst = true
    }

    /// Nothing: a value that is not known.
    package mutating func nothing() {
        separate()
    }

    /// Text that anybody may have written.
    package mutating func text(_ value: some Collection<UInt8>) {
        separate()
        let isFormula = Self.startsFormula(value)
        let isPlain = value.allSatisfy { $0 != 0x22 && $0 != 0x2C && $0 != 0x0A && $0 != 0x0D }
        if !isPlain { bytes.append(0x22) }
        if isFormula { bytes.append(0x27) }
        if isPlain {
            bytes += value
        } else {
            for byte in value {
                if byte == 0x22 { bytes.append(0x22) }
                bytes.append(byte)
            }
            bytes.append(0x22)
        }
    }

    /// A field of text as PostgreSQL's COPY writes it, in quotes where it has to be.
    mutating func copied(_ field: UnsafeBufferPointer<UInt8>) {
        separate()
        guard field.first == 0x22 else {
            if Self.startsFormula(field) { bytes.append(0x27) }
            bytes.append(contentsOf: field)
            return
        }
        guard field.count > 2 else { return }
        let inner = UnsafeBufferPointer(rebasing: field.dropFirst())
        bytes.append(0x22)
        if Self.startsFormula(inner) { bytes.append(0x27) }
        bytes.append(contentsOf: inner)
    }

    /// A number or a day as COPY writes it.
    mutating func copiedNumber(_ field: UnsafeBufferPointer<UInt8>) {
        separate()
        bytes.append(contentsOf: field)
    }

    /// The byte order mark, before everything.
    mutating func mark() {
        bytes += Self.byteOrderMark
    }

    /// A whole number of minor units as COPY writes it.
    mutating func copiedAmount(_ field: UnsafeBufferPointer<UInt8>, digits: Int) {
        separate()
        let isNegative = field.first == 0x2D
        let whole = UnsafeBufferPointer(rebasing: isNegative ? field.dropFirst() : field[...])
        if isNegative { bytes.append(0x2D) }
        guard digits > 0 else {
            bytes.append(contentsOf: whole)
            return
        }
        if whole.count <= digits {
            bytes.append(0x30)
            bytes.append(0x2E)
            for _ in whole.count..<digits { bytes.append(0x30) }
            bytes.append(contentsOf: whole)
        } else {
            bytes.append(contentsOf: whole.dropLast(digits))
            bytes.append(0x2E)
            bytes.append(contentsOf: whole.suffix(digits))
        }
    }

    /// Takes back what was written since there were so many bytes, at the end of a row.
    mutating func takeBack(to count: Int) {
        bytes.removeLast(bytes.count - count)
        isFirst = true
    }

    /// -98.00: no grouping, the currency's own number of digits.
    package mutating func amount(_ minorUnits: Int64, digits: Int) {
        separate()
        if minorUnits < 0 { bytes.append(0x2D) }
        var whole = Array(String(minorUnits.magnitude).utf8)
        if digits > 0 {
            while whole.count <= digits { whole.insert(0x30, at: 0) }
            whole.insert(0x2E, at: whole.count - digits)
        }
        bytes += whole
    }

    /// 2026-11-21T10:37:05+08:00
    ///
    /// - Parameter offset: the zone's, in seconds east of UTC at that moment.
    package mutating func time(_ date: Date, offset: Int) {
        time(seconds: Int(date.timeIntervalSince1970.rounded(.down)), offset: offset)
    }

    /// - Parameter seconds: since 1970.
    mutating func time(seconds: Int, offset: Int) {
        separate()
        let local = seconds + offset
        let (days, seconds) = (local - (local % 86_400 + 86_400) % 86_400, (local % 86_400 + 86_400) % 86_400)
        let day = Self.civil(days / 86_400)
        write(day.year, 4)
        bytes.append(0x2D)
        write(day.month, 2)
        bytes.append(0x2D)
        write(day.day, 2)
        bytes.append(0x54)
        write(seconds / 3_600, 2)
        bytes.append(0x3A)
        write(seconds / 60 % 60, 2)
        bytes.append(0x3A)
        write(seconds % 60, 2)
        bytes.append(offset < 0 ? 0x2D : 0x2B)
        write(abs(offset) / 3_600, 2)
        bytes.append(0x3A)
        write(abs(offset) / 60 % 60, 2)
    }

    private mutating func separate() {
        if !isFirst { bytes.append(0x2C) }
        isFirst = false
    }

    /// Also the wide signs (U+FF1D, FF0B, FF0D, FF20) that an East Asian keyboard gives and Excel reads as the narrow ones.
    private static func startsFormula(_ value: some Collection<UInt8>) -> Bool {
        switch value.first {
        case UInt8(ascii: "="), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "@"), 0x09, 0x0D: true
        case 0xEF:
            value.dropFirst().first == 0xBC && [0x9D, 0x8B, 0x8D, 0xA0].contains(value.dropFirst(2).first)
        case _: false
        }
    }

    private mutating func write(_ number: Int, _ width: Int) {
        var divisor = 1
        for _ in 1..<width { divisor *= 10 }
        while divisor > 0 {
            bytes.append(0x30 + UInt8(truncatingIfNeeded: number / divisor % 10))
            divisor /= 10
        }
    }

    /// Years that begin in March put the leap day last; the 400 years of the calendar's cycle have 146,097 days.
    private static func civil(_ days: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = days + 719_468
        let cycle = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfCycle = shifted - cycle * 146_097
        let yearOfCycle = (dayOfCycle - dayOfCycle / 1_460 + dayOfCycle / 36_524 - dayOfCycle / 146_096) / 365
        let dayOfYear = dayOfCycle - (365 * yearOfCycle + yearOfCycle / 4 - yearOfCycle / 100)
        let month = (5 * dayOfYear + 2) / 153
        let civilMonth = month < 10 ? month + 3 : month - 9
        return (
            cycle * 400 + yearOfCycle + (civilMonth <= 2 ? 1 : 0), civilMonth, dayOfYear - (153 * month + 2) / 5 + 1
        )
    }
}
