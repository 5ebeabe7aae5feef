/// A moment as RFC 3339 writes it: `2026-01-02T03:04:05.123456Z`, `2026-01-02t05:04:05+02:00`. The one reader of such texts.
package struct CivilMoment: Hashable, Sendable {
    /// Since 1970-01-01, in UTC.
    package let seconds: Int
    /// 0 to 999; what is finer is cut off.
    package let milliseconds: Int

    /// Reads a text; nil for what is no moment, for days and times that do not exist (February 30, 24:00), and for a leap second
    /// elsewhere than at the end of a day in UTC. A leap second is the first second of the next day.
    ///
    /// - Parameter takesBareOffsets: also `+0200`, as Xcode writes an offset.
    package init?(rfc3339 text: some StringProtocol, takesBareOffsets: Bool = false) {
        var rest = Array(text.utf8.prefix(Self.longest + 1))[...]
        guard rest.count <= Self.longest, let year = Self.number(4, from: &rest), Self.take("-", from: &rest),
            let month = Self.number(2, from: &rest), Self.take("-", from: &rest),
            let day = Self.number(2, from: &rest), Self.take("T", from: &rest) || Self.take("t", from: &rest),
            let hour = Self.number(2, from: &rest), Self.take(":", from: &rest),
            let minute = Self.number(2, from: &rest), Self.take(":", from: &rest),
            let second = Self.number(2, from: &rest), let milliseconds = Self.milliseconds(from: &rest),
            let offset = Self.offset(from: &rest, takesBare: takesBareOffsets), rest.isEmpty
        else { return nil }
        guard year > 0, let days = CivilDate.daysSince1970(ofExisting: year, month, day), hour < 24, minute < 60 else {
            return nil
        }
        let minutes = days * 86_400 + hour * 3_600 + minute * 60 - offset
        guard second < 60 || second == 60 && (minutes + 60).isMultiple(of: 86_400) else { return nil }
        seconds = minutes + second
        self.milliseconds = milliseconds
    }

    /// A nanosecond's digits and an offset, and a few more.
    private static let longest = 40

    private static func number(_ digits: Int, from rest: inout ArraySlice<UInt8>) -> Int? {
        guard rest.count >= digits, rest.prefix(digits).allSatisfy(isDigit) else { return nil }
        let number = rest.prefix(digits).reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }  // safe: up to four digits
        rest = rest.dropFirst(digits)
        return number
    }

    /// 0 where there are none; nil for a point without digits.
    private static func milliseconds(from rest: inout ArraySlice<UInt8>) -> Int? {
        guard take(".", from: &rest) else { return 0 }
        let digits = rest.prefix(while: isDigit)
        guard !digits.isEmpty else { return nil }
        rest = rest.dropFirst(digits.count)
        let first = digits.prefix(3).map { Int($0 - UInt8(ascii: "0")) } + [0, 0]  // safe: digits
        return first[0] * 100 + first[1] * 10 + first[2]
    }

    /// In seconds east of Greenwich.
    private static func offset(from rest: inout ArraySlice<UInt8>, takesBare: Bool) -> Int? {
        if take("Z", from: &rest) || take("z", from: &rest) { return 0 }
        let sign: Int
        if take("+", from: &rest) { sign = 1 } else if take("-", from: &rest) { sign = -1 } else { return nil }
        guard let hours = number(2, from: &rest), take(":", from: &rest) || takesBare,
            let minutes = number(2, from: &rest), hours < 24, minutes < 60
        else { return nil }
        return sign * (hours * 3_600 + minutes * 60)
    }

    private static func take(_ letter: Unicode.Scalar, from rest: inout ArraySlice<UInt8>) -> Bool {
        guard rest.first == UInt8(ascii: letter) else { return false }
        rest = rest.dropFirst()
        return true
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
}

extension CivilDate {
    /// Days since 1970-01-01; nil for a day that the calendar lacks.
    ///
    /// - Parameters: of a day, each from 0 to 9999.
    static func daysSince1970(ofExisting year: Int, _ month: Int, _ day: Int) -> Int? {
        guard (1...12).contains(month) else { return nil }
        let days = daysSince1970(year: year, month: month, day: day)
        return CivilDate(daysSince1970: days).day == day ? days : nil
    }
}
