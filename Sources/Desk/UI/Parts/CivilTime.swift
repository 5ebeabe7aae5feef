import CivilCalendar
import Foundation
import HTTP
import Storage
import Words

/// A moment by calendar and clock, by plain arithmetic (proleptic Gregorian calendar).
struct CivilTime {
    let year: Int
    let month: Int
    let day: Int
    let hour: Int
    let minute: Int
    let second: Int

    /// - Parameter local: seconds since 1970 plus the zone's offset.
    init(local: Int) {
        let (days, seconds) = local.flooredQuotientAndRemainder(by: 86_400)
        (hour, minute, second) = (seconds / 3600, seconds / 60 % 60, seconds % 60)
        let date = CivilDate(daysSince1970: days)
        (year, month, day) = (date.year, date.month, date.day)
    }

    /// "21 Nov 2026", "2026年11月21日", "21 Kas 2026"
    func dayText(_ strings: Strings) -> String {
        String(unsafeUninitializedCapacity: 24) { buffer in
            var text = UTF8Writer(buffer)
            switch strings.language {
            case .english: text.writeDay(self, month: Self.englishMonths[month - 1])  // safe: 1 to 12 by its init
            case .turkish: text.writeDay(self, month: Self.turkishMonths[month - 1])  // safe: as above
            case .chinese:
                text.write(year)
                text.write("年")
                text.write(month)
                text.write("月")
                text.write(day)
                text.write("日")
            }
            return text.count
        }
    }

    /// "10:37"
    var clockText: String {
        String(unsafeUninitializedCapacity: 8) { buffer in
            var text = UTF8Writer(buffer)
            text.write(twoDigits: hour)
            text.write(":")
            text.write(twoDigits: minute)
            return text.count
        }
    }

    /// "10:37:05"
    var clockTextWithSeconds: String {
        String(unsafeUninitializedCapacity: 8) { buffer in
            var text = UTF8Writer(buffer)
            text.writeClock(self)
            return text.count
        }
    }

    /// "2026-11-21T10:37:05+08:00"
    func isoText(offset: Int) -> String {
        String(unsafeUninitializedCapacity: 32) { buffer in
            var text = UTF8Writer(buffer)
            text.writeDate(self)
            text.write("T")
            text.writeClock(self)
            text.write(offset < 0 ? "-" : "+")
            text.write(twoDigits: Int(offset.magnitude) / 3600)
            text.write(":")
            text.write(twoDigits: Int(offset.magnitude) / 60 % 60)
            return text.count
        }
    }

    /// "2026-11-21 02:37:05 UTC"; only for a time made with no offset.
    var utcText: String {
        String(unsafeUninitializedCapacity: 32) { buffer in
            var text = UTF8Writer(buffer)
            text.writeDate(self)
            text.write(" ")
            text.writeClock(self)
            text.write(" ")
            text.write("U")
            text.write("T")
            text.write("C")
            return text.count
        }
    }
}

extension CivilTime {
    // The short names of CLDR, of 4 bytes at most.
    static let englishMonths: [StaticString] = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    static let turkishMonths: [StaticString] = [
        "Oca", "Şub", "Mar", "Nis", "May", "Haz", "Tem", "Ağu", "Eyl", "Eki", "Kas", "Ara",
    ]
}

/// Writes into memory that is large enough.
private struct UTF8Writer {
    private let buffer: UnsafeMutableBufferPointer<UInt8>
    private(set) var count = 0

    init(_ buffer: UnsafeMutableBufferPointer<UInt8>) {
        self.buffer = buffer
    }

    mutating func write(twoDigits number: Int) {
        write(byte: 48 + UInt8(truncatingIfNeeded: number / 10))
        write(byte: 48 + UInt8(truncatingIfNeeded: number % 10))
    }

    /// Up to four digits without leading zeros, as a day or a year has.
    mutating func write(_ number: Int) {
        if number >= 1_000 { write(byte: 48 + UInt8(truncatingIfNeeded: number / 1_000 % 10)) }
        if number >= 100 { write(byte: 48 + UInt8(truncatingIfNeeded: number / 100 % 10)) }
        if number >= 10 { write(byte: 48 + UInt8(truncatingIfNeeded: number / 10 % 10)) }
        write(byte: 48 + UInt8(truncatingIfNeeded: number % 10))
    }

    mutating func write(_ text: StaticString) {
        for offset in 0..<text.utf8CodeUnitCount { write(byte: text.utf8Start[offset]) }
    }

    mutating func writeDay(_ time: CivilTime, month: StaticString) {
        write(time.day)
        write(" ")
        write(month)
        write(" ")
        write(time.year)
    }

    mutating func writeDate(_ time: CivilTime) {
        write(twoDigits: time.year / 100)
        write(twoDigits: time.year % 100)
        write("-")
        write(twoDigits: time.month)
        write("-")
        write(twoDigits: time.day)
    }

    mutating func writeClock(_ time: CivilTime) {
        write(twoDigits: time.hour)
        write(":")
        write(twoDigits: time.minute)
        write(":")
        write(twoDigits: time.second)
    }

    private mutating func write(byte: UInt8) {
        buffer[count] = byte
        count += 1
    }
}
