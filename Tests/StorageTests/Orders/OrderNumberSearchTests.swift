import Billing
import Foundation
import Testing

@testable import Storage

@Suite("Order numbers that are typed in part") struct OrderNumberSearchTests {
    @Test(
        "the beginning of an order number tells the days it can be of",
        arguments: [
            ("ORD-2025", "2024-12-31", "2026-01-03"), ("ord-20251", "2025-09-30", "2026-07-05"),
            ("ORD-20250", "2024-12-31", "2025-10-05"), ("ORD-202502", "2025-01-31", "2025-03-05"),
            ("ORD-2025120", "2025-11-30", "2025-12-12"), ("ORD-20251215-00", "2025-12-14", "2025-12-17"),
        ]
    )
    func prefix(_ text: String, _ from: String, _ until: String) throws {
        let days = try #require(OrderNumberPrefix(text)).days
        #expect(days.lowerBound == BusinessDay(from)?.start(in: .gmt))
        #expect(days.upperBound == BusinessDay(until)?.start(in: .gmt))
    }

    @Test(
        "what begins no order number is searched for as any text",
        arguments: [
            "ORD-", "ORD-202", "ORD-20253", "ORD-2025-1", "ORD-20251301", "XORD-2025", "ORD-20251215-x", "lina",
        ]
    )
    func noPrefix(_ text: String) {
        #expect(OrderNumberPrefix(text) == nil)
    }

    @Test(
        "a part of an order number tells which sequences it can be of",
        arguments: [
            ("215-0042", [42...42]), ("20251215-0042", [42...42]), ("15-12345678", [12_345_678...12_345_678]),
            ("215-123456", [123_456...123_456, 1_234_560...1_234_569, 12_345_600...12_345_699]),
            ("215-00042", []), ("215-0000", []),
        ] as [(String, [ClosedRange<Int>])]
    )
    func part(_ text: String, _ sequences: [ClosedRange<Int>]) throws {
        #expect(try #require(OrderNumberPart(text)).sequences == sequences)
    }

    @Test(
        "what is no part of an order number is searched for as any text",
        arguments: [
            "5-0042", "215-004", "215-0042-1", "ORD-215-0042", "215-004x", "215–0042", "２15-0042", "215-123456789",
        ]
    )
    func noPart(_ text: String) {
        #expect(OrderNumberPart(text) == nil)
    }
}
