import Billing
import Foundation
import Testing

@Suite("The length of what is paid for at once") struct PeriodLengthTests {
    @Test(
        "is that of the transaction: months and years of the calendar, else weeks and days",
        arguments: [
            ("2026-03-01", "2026-04-01", "P1M"), ("2026-02-10", "2026-03-10", "P1M"),
            ("2026-01-31", "2026-02-28", "P1M"),
            ("2026-02-28", "2026-03-31", "P1M"), ("2026-01-01", "2026-01-31", "P1M"),
            ("2026-03-10", "2027-03-10", "P1Y"),
            ("2024-02-29", "2025-02-28", "P1Y"), ("2026-01-10", "2026-07-10", "P6M"),
            ("2026-01-10", "2026-03-10", "P2M"),
            ("2026-01-10", "2026-04-10", "P3M"), ("2026-01-10", "2028-01-10", "P2Y"),
            ("2026-03-01", "2026-03-08", "P1W"),
            ("2026-03-01", "2026-03-15", "P2W"), ("2026-03-01", "2026-03-04", "P3D"),
            ("2026-03-01", "2026-04-15", "P45D"),
        ]
    )
    func length(_ start: String, _ end: String, _ expected: String) throws {
        let start = try Date.local(start + " 05:30:00", .gmt)
        let end = try Date.local(end + " 05:30:00", .gmt)
        #expect(BillingPeriod(from: start, to: end)?.description == expected)
        // A clock that was put forward in between, or a store in another zone, changes nothing.
        #expect(BillingPeriod(from: start, to: end.addingTimeInterval(-3_600))?.description == expected)
    }

    @Test("of less than a day, which a sandbox sells, there is none")
    func sandbox() {
        #expect(BillingPeriod(from: .day(0), to: .day(0.01)) == nil)
        #expect(BillingPeriod(from: .day(1), to: .day(0)) == nil)
    }
}

@Suite("Recurring revenue by the length of the transaction") struct TransactionLengthTests {
    private static func monthly(_ events: StoreEvent...) -> [Int64] {
        let product = UUID()
        return SubscriptionHistory(events).replay().periods.map { access in
            MetricsPeriod(
                subscription: Subscription.ID(UUID()),
                access: access,
                cell: MetricsCell(product: product, country: "", currency: access.price?.currency),
                planRank: 1,
                length: access.length
            ).monthly
        }
    }

    private static func sold(_ id: String, _ start: String, _ end: String, _ cents: Int64) throws -> StoreTransaction {
        StoreTransaction(
            id: id,
            originalID: "t1",
            productID: "pro.yearly",
            purchasedAt: try .local(start + " 00:00:00", .gmt),
            expiresAt: try .local(end + " 00:00:00", .gmt),
            price: Money(minorUnits: cents, currency: .cny)
        )
    }

    private static func told(_ kind: StoreEvent.Kind, _ transaction: StoreTransaction) -> StoreEvent {
        StoreEvent(
            id: "\(kind) \(transaction.id)",
            store: .apple,
            environment: .production,
            signedAt: transaction.purchasedAt,
            kind: kind,
            transaction: transaction
        )
    }

    @Test("MRR of an offer paid up front: a month for 1.00 and then a year for 49.99 are 1.00 and 4.17")
    func upFront() throws {
        let first = Self.told(.subscribed, try Self.sold("t1", "2026-02-10", "2026-03-10", 100))
        let year = Self.told(.renewed, try Self.sold("t2", "2026-03-10", "2027-03-10", 4_999))
        #expect(Self.monthly(first, year) == [100, 417])
    }

    @Test("six months of a monthly product paid up front for 29.99 are 5.00 a month")
    func sixMonths() throws {
        let sixMonths = Self.told(.subscribed, try Self.sold("t1", "2026-02-10", "2026-08-10", 2_999))
        #expect(Self.monthly(sixMonths) == [500])
    }

    @Test("a yearly product billed monthly is 9.99 a month, and so is the same product for 119.88 at once")
    func commitment() throws {
        let month = Self.told(.subscribed, try Self.sold("t1", "2026-03-01", "2026-04-01", 999))
        let year = Self.told(.subscribed, try Self.sold("t1", "2026-03-01", "2027-03-01", 11_988))
        #expect(Self.monthly(month) == [999])
        #expect(Self.monthly(year) == [999])
    }

    @Test("what is paid for late within a grace period ends as if it had been paid for in time, and is as long")
    func recovered() throws {
        let first = Self.told(.subscribed, try Self.sold("t1", "2026-03-01", "2026-04-01", 999))
        let late = Self.told(.recovered, try Self.sold("t2", "2026-04-12", "2026-05-01", 999))
        #expect(Self.monthly(first, late) == [999, 999])
        let afresh = Self.told(.recovered, try Self.sold("t2", "2026-05-12", "2026-06-12", 999))
        #expect(Self.monthly(first, afresh) == [999, 999])
    }
}
