import Billing
import Foundation
import Testing

@Suite("Reminders of an end") struct ExpiryReminderTests {
    private static let end = Date(timeIntervalSince1970: 1_767_225_600)

    @Test(
        "the reminder that is due is the nearest to the end, none before the first and none after the end",
        arguments: [
            (7.1, nil), (7, 7), (3.1, 7), (3, 3), (1.1, 3), (1, 1), (0.1, 1), (0, nil), (-1, nil),
        ] as [(Double, Int?)]
    )
    func due(_ daysLeft: Double, _ expected: Int?) {
        let now = Self.end.addingTimeInterval(-daysLeft * 86_400)
        let start = Self.end.addingTimeInterval(-30 * 86_400)
        #expect(ExpiryReminder.due(endingAt: Self.end, startingAt: start, at: now) == expected)
    }

    @Test("a week is not announced as it is bought, and what never ends is never announced")
    func short() {
        let start = Self.end.addingTimeInterval(-7 * 86_400)
        #expect(ExpiryReminder.due(endingAt: Self.end, startingAt: start, at: start) == nil)
        let later = Self.end.addingTimeInterval(-3 * 86_400)
        #expect(ExpiryReminder.due(endingAt: Self.end, startingAt: start, at: later) == 3)
        #expect(ExpiryReminder.due(endingAt: nil, startingAt: start, at: start) == nil)
        #expect(ExpiryReminder.due(endingAt: Self.end, startingAt: nil, at: later) == 3)
    }
}
