import Foundation

/// Dates as receipts write them: `2024-02-23T17:27:16Z`, with fractions of a second, or with an offset (Xcode's `+0100`).
enum AppleReceiptDate {
    /// nil for anything else, and for a day that no calendar has.
    static func date(_ text: String) -> Date? {
        var rest = Array(text.utf8)[...]
        guard let year = number(4, from: &rest), take("-", from: &rest), let month = number(2, from: &rest),
            take("-", from: &rest), let day = number(2, from: &rest), take("T", from: &rest),
            let hour = number(2, from: &rest), take(":", from: &rest), let minute = number(2, from: &rest),
            take(":", from: &rest), let second = number(2, from: &rest)
        else { return nil }
        if take(".", from: &rest) {
            guard let digit = rest.first, isDigit(digit) else { return nil }
            rest = rest.drop(while: isDigit)
        }
        guard let offset = offset(from: &rest), rest.isEmpty, (1...12).contains(month),
            (1...length(ofMonth: month, in: year)).contains(day), hour < 24, minute < 60, second <= 60
        else { return nil }
        let seconds = days(toMonth: month, in: year) + day - 1
        return Date(timeIntervalSince1970: Double(seconds * 86_400 + hour * 3_600 + minute * 60 + second - offset))
    }

    private static func number(_ digits: Int, from rest: inout ArraySlice<UInt8>) -> Int? {
        guard rest.count >= digits, rest.prefix(digits).allSatisfy(isDigit) else { return nil }
        let number = rest.prefix(digits).reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }  // safe: up to four digits
        rest = rest.dropFirst(digits)
        return number
    }

    private static func take(_ letter: Unicode.Scalar, from rest: inout ArraySlice<UInt8>) -> Bool {
        guard rest.first == UInt8(ascii: letter) else { return false }
        rest = rest.dropFirst()
        return true
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    /// In seconds east of Greenwich.
    private static func offset(from rest: inout ArraySlice<UInt8>) -> Int? {
        if take("Z", from: &rest) { return 0 }
        let sign: Int
        if take("+", from: &rest) { sign = 1 } else if take("-", from: &rest) { sign = -1 } else { return nil }
        guard let hours = number(2, from: &rest) else { return nil }
        _ = take(":", from: &rest)
        guard let minutes = number(2, from: &rest), hours < 24, minutes < 60 else { return nil }
        return sign * (hours * 3_600 + minutes * 60)
    }

    private static func length(ofMonth month: Int, in year: Int) -> Int {
        switch month {
        case 2: isLeap(year) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    private static func isLeap(_ year: Int) -> Bool {
        year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
    }

    /// Days from 1970-01-01 to the first of a month (Hinnant, "chrono-compatible low-level date algorithms").
    private static func days(toMonth month: Int, in year: Int) -> Int {
        // Years that begin in March, and one era more, so that nothing is negative.
        let shifted = (month <= 2 ? year - 1 : year) + 400
        let era = shifted / 400
        let yearOfEra = shifted % 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return (era - 1) * 146_097 + dayOfEra - 719_468
    }
}
