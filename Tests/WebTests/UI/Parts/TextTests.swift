import Billing
import Foundation
import Storage
import Testing

@testable import Desk
@testable import HTTP
@testable import Words

@Suite struct TextTests {
    @Test(
        "an amount has grouped digits and its currency's decimals",
        arguments: [
            (12_800, "CNY", "128.00"), (0, "CNY", "0.00"), (5, "CNY", "0.05"), (-4_000, "CNY", "−40.00"),
            (100_000, "CNY", "1,000.00"), (1_234_567_890, "USD", "12,345,678.90"), (300, "JPY", "300"),
            (1_000, "JPY", "1,000"), (0, "JPY", "0"), (1_234_567, "KWD", "1,234.567"), (7, "KWD", "0.007"),
            (.max, "JPY", "9,223,372,036,854,775,807"), (.min, "CNY", "−92,233,720,368,547,758.08"),
        ] as [(Int64, String, String)]
    )
    func money(_ minorUnits: Int64, _ code: String, _ text: String) {
        #expect(MoneyText(minorUnits, Sample.currency(code), Strings(.english)).amount == text)
    }

    @Test("a movement shows its plus, nothing shows none")
    func plus() {
        #expect(MoneyText(12_800, Sample.currency("CNY"), Strings(.english), showsPlus: true).amount == "+128.00")
        #expect(MoneyText(0, Sample.currency("CNY"), Strings(.english), showsPlus: true).amount == "0.00")
    }

    @Test(
        "a moment reads as the zone's clock showed it",
        arguments: [
            (1_795_228_800.9, "Asia/Shanghai", "2026-11-21T10:40:00+08:00", "21 Nov 2026", "10:40"),
            (1_709_164_799, "UTC", "2024-02-28T23:59:59+00:00", "28 Feb 2024", "23:59"),
            (1_709_164_800, "UTC", "2024-02-29T00:00:00+00:00", "29 Feb 2024", "00:00"),
            (1_711_846_799, "Europe/Berlin", "2024-03-31T01:59:59+01:00", "31 Mar 2024", "01:59"),
            (1_711_846_800, "Europe/Berlin", "2024-03-31T03:00:00+02:00", "31 Mar 2024", "03:00"),
            (1_704_067_200, "America/St_Johns", "2023-12-31T20:30:00-03:30", "31 Dec 2023", "20:30"),
            (-1, "UTC", "1969-12-31T23:59:59+00:00", "31 Dec 1969", "23:59"),
        ]
    )
    func moment(_ seconds: Double, _ zone: String, _ iso: String, _ day: String, _ clock: String) {
        let text = DateText(Date(timeIntervalSince1970: seconds), in: .named(zone), Strings(.english))
        #expect(text.iso == iso)
        #expect(text.day == day)
        #expect(text.clock == clock)
    }

    @Test(
        "every day and its offset agree with Foundation",
        arguments: ["Europe/Berlin", "Asia/Shanghai", "Africa/Casablanca"]
    )
    func calendar(_ name: String) throws {
        let timeZone = try #require(TimeZone(identifier: name))
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = timeZone
        let zone = BusinessZone.named(name)
        for step in 0..<9_000 {
            let moment = 820_454_400 + step * 161_803
            let date = Date(timeIntervalSince1970: TimeInterval(moment))
            #expect(zone.offset(at: moment) == timeZone.secondsFromGMT(for: date))
            let civil = CivilTime(local: moment + zone.offset(at: moment))
            let parts = calendar.dateComponents([.year, .month, .day, .hour, .minute, .second], from: date)
            #expect([civil.year, civil.month, civil.day] == [parts.year, parts.month, parts.day])
            #expect([civil.hour, civil.minute, civil.second] == [parts.hour, parts.minute, parts.second])
        }
    }

    @Test(
        "a zone is called by its offset where that never changes",
        arguments: [
            ("Asia/Shanghai", "UTC+8"), ("Europe/Istanbul", "UTC+3"), ("Asia/Kolkata", "UTC+5:30"),
            ("Europe/Berlin", "Europe/Berlin"), ("Nowhere/Else", "UTC"),
        ]
    )
    func zone(_ name: String, _ label: String) {
        #expect(BusinessZone.named(name).label == label)
    }

    @Test(
        "durations",
        arguments: [
            (0.0142, "14 ms"), (3.24, "3.2 s"), (42, "42 s"), (125, "2 min 5 s"), (10_920, "3 h 2 min"),
            (345_600, "4 days"),
            (-1, "0 ms"), (0.9996, "1.0 s"),
        ] as [(Double, String)]
    )
    func duration(_ seconds: Double, _ text: String) {
        #expect(
            DateText.duration(from: Sample.now, to: Sample.now.addingTimeInterval(seconds), Strings(.english)) == text
        )
    }

    @Test(
        "paths stay inside the dashboard",
        arguments: [
            ("/dashboard", true), ("/dashboard/orders?q=a%2Fb&x=//y", true), ("/dashboard?x", true),
            ("/dashboards", false),
            ("dashboard", false), ("//dashboard", false), ("/dashboard//x", false), ("/dashboard/../x", false),
            ("/dashboard/\\x", false), ("/dashboard/a b", false), ("/dashboard/é", false),
            ("https://x/dashboard", false),
        ]
    )
    func paths(_ path: String, _ isSafe: Bool) {
        #expect((DashboardPath.safe(path) == path) == isSafe)
    }

    @Test("base64url reads only what it writes")
    func base64() {
        for count in 0..<40 {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ count) }
            let text = Base64URL.text(of: bytes)
            #expect(Base64URL.bytes(of: text) == bytes)
        }
        #expect(Base64URL.bytes(of: "AB") == nil)
        #expect(Base64URL.bytes(of: "A") == nil)
        #expect(Base64URL.bytes(of: "AA==") == nil)
    }
}
