import Foundation

/// What calendar and clock showed at a moment, by plain arithmetic (proleptic Gregorian calendar).
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
        // Years that begin in March put the leap day last; the 400 years of the calendar's cycle have 146,097 days.
        let (cycle, dayOfCycle) = (days + 719_468).flooredQuotientAndRemainder(by: 146_097)
        let yearOfCycle = (dayOfCycle - dayOfCycle / 1_460 + dayOfCycle / 36_524 - dayOfCycle / 146_096) / 365
        let dayOfYear = dayOfCycle - (365 * yearOfCycle + yearOfCycle / 4 - yearOfCycle / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        year = cycle * 400 + yearOfCycle + (month <= 2 ? 1 : 0)
    }

    /// "21 Nov 2026"
    var dayText: String {
        String(unsafeUninitializedCapacity: 16) { buffer in
            var text = ASCIIWriter(buffer)
            text.write(day)
            text.write(" ")
            text.write(month: month)
            text.write(" ")
            text.write(year)
            return text.count
        }
    }

    /// "10:37"
    var clockText: String {
        String(unsafeUninitializedCapacity: 8) { buffer in
            var text = ASCIIWriter(buffer)
            text.write(twoDigits: hour)
            text.write(":")
            text.write(twoDigits: minute)
            return text.count
        }
    }

    /// "10:37:05"
    var clockTextWithSeconds: String {
        String(unsafeUninitializedCapacity: 8) { buffer in
            var text = ASCIIWriter(buffer)
            text.writeClock(self)
            return text.count
        }
    }

    /// "2026-11-21T10:37:05+08:00"
    func isoText(offset: Int) -> String {
        String(unsafeUninitializedCapacity: 32) { buffer in
            var text = ASCIIWriter(buffer)
            text.writeDate(self)
            text.write("T")
            text.writeClock(self)
            text.write(offset < 0 ? "-" : "+")
            text.write(twoDigits: abs(offset) / 3600)
            text.write(":")
            text.write(twoDigits: abs(offset) / 60 % 60)
            return text.count
        }
    }

    /// "2026-11-21 02:37:05 UTC"; only for a time made with no offset.
    var utcText: String {
        String(unsafeUninitializedCapacity: 32) { buffer in
            var text = ASCIIWriter(buffer)
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

extension Int {
    fileprivate func flooredQuotientAndRemainder(by divisor: Int) -> (Int, Int) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}

/// Writes ASCII into memory that is large enough.
private struct ASCIIWriter {
    private let buffer: UnsafeMutableBufferPointer<UInt8>
    private(set) var count = 0

    init(_ buffer: UnsafeMutableBufferPointer<UInt8>) {
        self.buffer = buffer
    }

    mutating func write(_ character: Unicode.Scalar) {
        write(byte: UInt8(ascii: character))
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

    mutating func write(month: Int) {
        let names: StaticString = "JanFebMarAprMayJunJulAugSepOctNovDec"
        for offset in 0..<3 { write(byte: names.utf8Start[(month - 1) * 3 + offset]) }
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
