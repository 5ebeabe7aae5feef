import Foundation
import Testing

@testable import Storage

@Suite("The hour of a clock")
struct HourTests {
    @Test(
        "begins when the clock first shows it, also where it shows it twice",
        arguments: [
            // New York on 3 November 2024: 01:30 at UTC-4, 01:30 at UTC-5, and 02:30.
            ("America/New_York", "2024-11-03T05:30:00Z", 1, "2024-11-03T05:00:00Z"),
            ("America/New_York", "2024-11-03T06:30:00Z", 1, "2024-11-03T05:00:00Z"),
            ("America/New_York", "2024-11-03T07:30:00Z", 2, "2024-11-03T07:00:00Z"),
            // The hour from two to three is missing on 10 March 2024.
            ("America/New_York", "2024-03-10T07:30:00Z", 3, "2024-03-10T07:00:00Z"),
            ("Pacific/Kiritimati", "2024-02-28T10:00:00Z", 0, "2024-02-28T10:00:00Z"),
            ("Pacific/Pago_Pago", "2024-02-29T10:59:59Z", 23, "2024-02-29T10:00:00Z"),
        ]
    )
    func begins(zone: String, moment: String, number: Int, start: String) throws {
        let clock = try #require(TimeZone(identifier: zone))
        let hour = Calendar.hour(of: try Date(moment, strategy: .iso8601), in: clock)
        let began = try Date(start, strategy: .iso8601)
        #expect(hour.number == number)
        #expect(hour.start == began)
    }
}
