import Billing
import CivilCalendar
package import Foundation

/// Writes rows of comma-separated values (RFC 4180) that spreadsheets read as they are meant.
///
/// Text is quoted, and has apostrophes where a spreadsheet would evaluate or change it (`SpreadsheetText`); amounts are plain
/// decimal numbers, and times are ISO 8601 with an offset.
package struct CSVText: Sendable {
    package private(set) var bytes: [UInt8] = []
    private var isFirst = true

    package init() {}

    /// Tells Excel that what follows is UTF-8.
    package static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// A cell, nil where nothing is known.
    package enum Cell: Sendable {
        /// A text that somebody may have written.
        case text(String?)
        /// A number, a day or a time of ours.
        case plain(String?)
    }

    /// The row of the columns' names.
    package mutating func heading(_ names: [String]) {
        for name in names { plain(name) }
        endRow()
    }

    /// A whole row.
    package mutating func row(_ cells: [Cell]) {
        for cell in cells {
            switch cell {
            case .text(let text?): self.text(text.utf8)
            case .plain(let text?): plain(text)
            case .text(nil), .plain(nil): nothing()
            }
        }
        endRow()
    }

    /// A number, a day, a time or a name of ours: nothing that anybody may have written.
    package mutating func plain(_ value: String) {
        separate()
        bytes.append(contentsOf: value.utf8)
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
        let isDone: Void? = value.withContiguousStorageIfAvailable { text(UnsafeRawBufferPointer($0)) }
        if isDone == nil { Array(value).withUnsafeBytes { text($0) } }
    }

    /// Text that anybody may have written, millions of times.
    mutating func text(_ value: UnsafeRawBufferPointer) {
        separate()
        bytes.append(0x22)
        SpreadsheetText(value).append(to: &bytes)
        bytes.append(0x22)
    }

    /// A number or a day that is text already.
    mutating func copied(_ field: UnsafeRawBufferPointer) {
        separate()
        bytes.append(contentsOf: field)
    }

    /// 01931f3a-7000-7000-8000-000000000030
    ///
    /// - Parameter value: the key's 16 bytes.
    mutating func id(_ value: UnsafeRawBufferPointer) {
        separate()
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 36) { buffer in
            var position = 0
            for (index, byte) in value.enumerated() {
                if index == 4 || index == 6 || index == 8 || index == 10 {
                    buffer[position] = 0x2D
                    position += 1
                }
                buffer[position] = Self.digit(byte >> 4)
                buffer[position + 1] = Self.digit(byte & 15)
                position += 2
            }
            bytes.append(contentsOf: buffer)
        }
    }

    /// The byte order mark, before everything.
    mutating func mark() {
        bytes += Self.byteOrderMark
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
        // From the last digit to the first; 19 digits, a point, and what small amounts of many digits need.
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 32) { buffer in
            var (rest, start, written) = (minorUnits.magnitude, 32, 0)
            repeat {
                if written == digits, digits > 0 {
                    start -= 1
                    buffer[start] = 0x2E
                }
                start -= 1
                buffer[start] = 0x30 + UInt8(truncatingIfNeeded: rest % 10)
                rest /= 10
                written += 1
            } while rest > 0 || written <= digits && digits > 0
            bytes.append(contentsOf: buffer[start...])
        }
    }

    /// 2026-11-21T10:37:05+08:00
    ///
    /// - Parameter offset: the zone's, in seconds east of UTC at that moment.
    package mutating func time(_ date: Date, offset: Int) {
        time(seconds: date.wholeSeconds, offset: offset)
    }

    /// - Parameter seconds: since 1970.
    mutating func time(seconds: Int, offset: Int) {
        separate()
        let local = seconds + offset
        let (days, seconds) = local.flooredQuotientAndRemainder(by: 86_400)
        let day = CivilDate(daysSince1970: days)
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 25) { buffer in
            var position = 0
            func write(_ number: Int, _ mark: UInt8?) {
                buffer[position] = 0x30 + UInt8(truncatingIfNeeded: number / 10 % 10)
                buffer[position + 1] = 0x30 + UInt8(truncatingIfNeeded: number % 10)
                position += 2
                guard let mark else { return }
                buffer[position] = mark
                position += 1
            }
            write(day.year / 100, nil)
            write(day.year, 0x2D)
            write(day.month, 0x2D)
            write(day.day, 0x54)
            write(seconds / 3_600, 0x3A)
            write(seconds / 60 % 60, 0x3A)
            write(seconds % 60, offset < 0 ? 0x2D : 0x2B)
            write(Int(offset.magnitude) / 3_600, 0x3A)
            write(Int(offset.magnitude) / 60 % 60, nil)
            bytes.append(contentsOf: buffer[..<position])
        }
    }

    private static func digit(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 + value : 0x57 + value }

    private mutating func separate() {
        if !isFirst { bytes.append(0x2C) }
        isFirst = false
    }
}
