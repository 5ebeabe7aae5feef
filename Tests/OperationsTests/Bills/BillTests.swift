import Billing
import Foundation
import Gateways
import Jobs
import Operations
import Postgres
import Storage
import Testing

@Suite("Stores' bills are compared with the books") struct BillTests {
    /// Sells to so many customers, each at both shops.
    private func sell(_ count: Int, _ office: CheckoutOffice) async throws {
        for index in 0..<count {
            let customer = try await office.office.customer("mei-\(index)")
            try await office.buy(by: .wechatNative, for: customer)
            try await office.buy(by: .alipayQR, for: customer)
        }
    }

    /// Has all bills fetched that are due, and the queue run dry.
    private func compare(_ office: CheckoutOffice) async throws {
        for _ in 0..<2 {
            _ = try await office.backOffice.scheduleBills()
            _ = try await JobWorker(backOffice: office.backOffice).drain()
        }
    }

    private func differences(
        _ office: CheckoutOffice,
        _ condition: Query = "closed_at IS NULL"
    ) async throws -> [String] {
        try await office.office.lines(
            """
            SELECT concat_ws(' ', store, kind, coalesce(billed::text, '-'), coalesce(booked::text, '-'))
            FROM bill_differences
            WHERE \(condition)
            ORDER BY 1
            """
        )
    }

    private func states(_ office: CheckoutOffice) async throws -> [String] {
        try await office.office.lines(
            "SELECT concat_ws(' ', store, day, state, rows) FROM daily_bills ORDER BY day, store"
        )
    }

    @Test("undisturbed books and bills have no difference; each day is fetched once, after the store has made its bill")
    func undisturbed() async throws {
        try await CheckoutOffice.run { office in
            try await sell(3, office)
            try await compare(office)
            #expect(try await states(office) == [])
            office.advance(days: 1.5)
            try await compare(office)
            #expect(
                try await states(office) == ["alipay 2026-01-01 compared 3", "wechat 2026-01-01 compared 3"]
            )
            #expect(try await differences(office, "true") == [])
            office.advance(days: 1)
            try await compare(office)
            #expect(try await states(office).count == 4)
            #expect(try await differences(office, "true") == [])
            #expect(office.wechat.billsAsked.count == 2)
        }
    }

    @Test("planted differences are listed exactly, once however often the bill is fetched")
    func planted() async throws {
        try await CheckoutOffice.run { office in
            try await sell(6, office)
            for shop in [office.wechat, office.alipay] {
                let numbers = shop.orders.keys.sorted()
                shop.bendBills { bill in
                    var bill = bill
                    bill.rows.removeAll { $0.orderNumber == numbers[0] || $0.orderNumber == numbers[1] }
                    for index in bill.rows.indices where numbers[2...3].contains(bill.rows[index].orderNumber) {
                        bill.rows[index].amount.minorUnits += 1
                    }
                    bill.rows += (0..<3).map { shop.row(.payment, "STRAY\($0)", "stray-\($0)", 700, nil) }
                    let paid = bill.rows.filter { $0.orderNumber == numbers[4] || $0.orderNumber == numbers[5] }
                    bill.rows += paid.map { shop.row(.refund, $0.orderNumber, $0.transactionID, 100, "X-1") }
                    bill.rows += paid.prefix(1).map { shop.row(.refund, $0.orderNumber, $0.transactionID, 50, "X-2") }
                    return bill
                }
            }
            office.advance(days: 1.5)
            try await compare(office)
            let expected = ["alipay", "wechat"].flatMap { store in
                [
                    "\(store) paid_here - 1800", "\(store) paid_here - 1800", "\(store) paid_there 700 -",
                    "\(store) paid_there 700 -", "\(store) paid_there 700 -", "\(store) payment_amount 1801 1800",
                    "\(store) payment_amount 1801 1800", "\(store) refunded_there 100 -",
                    "\(store) refunded_there 100 -", "\(store) refunded_there 50 -",
                ]
            }
            #expect(expected.count == 20)
            #expect(try await differences(office) == expected)
            _ = try await office.office.pool.query("UPDATE daily_bills SET state = 'incomplete', next_at = starts_at")
            try await compare(office)
            #expect(try await differences(office, "true") == expected)
            for shop in [office.wechat, office.alipay] { shop.bendBills { $0 } }
            _ = try await office.office.pool.query("UPDATE daily_bills SET state = 'incomplete', next_at = starts_at")
            try await compare(office)
            #expect(try await differences(office) == [])
            #expect(try await differences(office, "close_reason = 'explained'") == expected)
        }
    }

    @Test("a payment of which no message came is asked for and settled before it is told as a difference")
    func settles() async throws {
        try await CheckoutOffice.run { office in
            let customer = try await office.office.customer("mei")
            let number = try await office.open(for: customer).checkout.number
            _ = try await office.office.pool.query("DELETE FROM jobs")
            office.wechat.pay(number, at: office.office.clock.read())
            office.advance(days: 1.5)
            try await compare(office)
            #expect(try await office.checkout(number).state == .paid)
            #expect(try await differences(office, "true") == [])
        }
    }

    @Test("a bill that broke off concludes nothing about what is missing in it, and is fetched again")
    func torn() async throws {
        try await CheckoutOffice.run { office in
            try await sell(2, office)
            office.wechat.bendBills {
                StoreBill(rows: Array($0.rows.prefix(1)), unreadable: ["line 3 breaks off"], isWhole: false)
            }
            office.advance(days: 1.5)
            try await compare(office)
            #expect(try await differences(office, "true") == [])
            #expect(try await states(office).contains("wechat 2026-01-01 incomplete 1"))
            #expect(
                try await office.office.lines("SELECT unnest(unreadable) FROM daily_bills") == ["line 3 breaks off"]
            )
            office.wechat.bendBills { $0 }
            office.advance(days: 0.6)
            try await compare(office)
            #expect(try await states(office).contains("wechat 2026-01-01 compared 2"))
        }
    }

    @Test("a bill that is made late is waited for, and one that cannot be read keeps no other back")
    func late() async throws {
        try await CheckoutOffice.run { office in
            try await sell(1, office)
            office.wechat.makeBills(after: 3 * 86_400)
            office.alipay.bendBills(failing: "The archive unpacks to more than it may.") { $0 }
            office.advance(days: 2.5)
            try await compare(office)
            #expect(try await states(office).filter { $0.hasPrefix("wechat") }.allSatisfy { $0.contains("awaited") })
            #expect(
                try await office.office.lines("SELECT DISTINCT problem FROM daily_bills WHERE store = 'alipay'")
                    == ["The archive unpacks to more than it may."]
            )
            #expect(office.alipay.billsAsked.count == 2)
            #expect(try await differences(office, "true") == [])
            office.advance(days: 2)
            office.alipay.bendBills { $0 }
            for _ in 0..<4 {
                try await compare(office)
                office.advance(days: 0.6)
            }
            #expect(try await office.office.count("daily_bills WHERE state <> 'compared' AND day <= '2026-01-02'") == 0)
            #expect(try await differences(office, "true") == [])
        }
    }

    @Test("a difference that a later bill explains is closed with the reason; staff note one, and close it once")
    func closes() async throws {
        try await CheckoutOffice.run { office in
            try await sell(1, office)
            let all = office.wechat.rows
            office.wechat.bendBills { StoreBill(rows: [], isWhole: $0.isWhole) }
            office.alipay.bendBills { StoreBill(rows: [], isWhole: $0.isWhole) }
            office.advance(days: 1.5)
            try await compare(office)
            #expect(try await differences(office) == ["alipay paid_here - 1800", "wechat paid_here - 1800"])
            // The store saw midnight before it was paid.
            office.wechat.bendBills { StoreBill(rows: all, isWhole: $0.isWhole) }
            office.advance(days: 1)
            try await compare(office)
            #expect(try await differences(office) == ["alipay paid_here - 1800"])
            #expect(try await differences(office, "close_reason = 'explained'") == ["wechat paid_here - 1800"])

            let id = try #require(
                try await office.office.lines("SELECT id::text FROM bill_differences WHERE closed_at IS NULL").first
            )
            let difference = try #require(ListedBillDifference.ID(id))
            for closes in [false, true] {
                _ = try await office.backOffice.noteBillDifference(
                    difference,
                    of: office.app,
                    closes: closes,
                    reason: Reason(.other, "The store was asked about it."),
                    key: nil,
                    caller: .commandLine
                )
            }
            #expect(try await differences(office) == [])
            let error = await #expect(throws: OperationsError.self) {
                _ = try await office.backOffice.noteBillDifference(
                    difference,
                    of: office.app,
                    closes: true,
                    reason: Reason(.other, "The store was asked about it."),
                    key: nil,
                    caller: .commandLine
                )
            }
            #expect(error?.code == .conflict)
            #expect(
                try await office.office.lines(
                    "SELECT action FROM audit_entries WHERE object_type = 'bill_difference' ORDER BY action DESC"
                )
                    == ["bill_difference.note", "bill_difference.close"]
            )
            office.advance(days: 1)
            try await compare(office)
            #expect(try await differences(office) == [])
        }
    }
}
