import Billing
import Foundation
import Testing

@Suite("A store's bill beside the books") struct BillReconciliationTests {
    private static let day = Date(timeIntervalSince1970: 1_767_196_800)..<Date(timeIntervalSince1970: 1_767_283_200)
    private static let noon = day.lowerBound.addingTimeInterval(43_200)

    private static func yuan(_ fen: Int64) -> Money { Money(minorUnits: fen, currency: .cny) }

    private static func paid(_ name: String, _ fen: Int64) -> BilledMovement {
        BilledMovement(.payment, orderNumber: "N-\(name)", transactionID: name, amount: yuan(fen), at: noon)
    }

    private static func refunded(
        _ name: String,
        _ fen: Int64,
        _ number: String?,
        after: TimeInterval = 0
    ) -> BilledMovement {
        BilledMovement(
            .refund,
            orderNumber: "N-\(name)",
            transactionID: name,
            refundNumber: number,
            amount: yuan(fen),
            at: noon.addingTimeInterval(after)
        )
    }

    private static func payment(
        _ name: String,
        _ fen: Int64,
        at date: Date = noon,
        isBilled: Bool = false
    ) -> BookedPayment {
        BookedPayment(
            order: UUID(),
            orderNumber: "N-\(name)",
            transactionID: name,
            amount: yuan(fen),
            at: date,
            isBilled: isBilled
        )
    }

    private static func refund(_ name: String, _ fen: Int64, at date: Date = noon) -> BookedRefund {
        BookedRefund(
            entry: UUID(),
            order: UUID(),
            orderNumber: "N-\(name)",
            transactionID: name,
            amount: yuan(fen),
            at: date
        )
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var billed: [BilledMovement] = []
        var elsewhere: [BilledMovement] = []
        var payments: [BookedPayment] = []
        var refunds: [BookedRefund] = []
        var requests: [RequestedRefund] = []
        var isWhole = true
        var found: [String] = []
    }

    private static let rows = [
        Row(testDescription: "nothing and nothing"),
        Row(testDescription: "a payment that both have", billed: [paid("a", 600)], payments: [payment("a", 600)]),
        Row(testDescription: "a payment of the bill alone", billed: [paid("a", 600)], found: ["paid_there a 600 -"]),
        Row(
            testDescription: "the same line twice",
            billed: [paid("a", 600), paid("a", 600)],
            found: ["paid_there a 600 -"]
        ),
        Row(
            testDescription: "a payment of the books alone",
            payments: [payment("a", 600)],
            found: ["paid_here a - 600"]
        ),
        Row(
            testDescription: "a payment of the books that another day's bill has",
            payments: [payment("a", 600, isBilled: true)]
        ),
        Row(
            testDescription: "a payment of another day by the books",
            payments: [payment("a", 600, at: day.upperBound)]
        ),
        Row(testDescription: "a payment that a torn bill lacks", payments: [payment("a", 600)], isWhole: false),
        Row(
            testDescription: "a payment that only a torn bill has",
            billed: [paid("a", 600)],
            isWhole: false,
            found: ["paid_there a 600 -"]
        ),
        Row(
            testDescription: "another amount",
            billed: [paid("a", 601)],
            payments: [payment("a", 600)],
            found: ["payment_amount a 601 600"]
        ),
        Row(
            testDescription: "a refund that both have",
            billed: [refunded("a", 100, "RF-1")],
            refunds: [refund("a", 100)]
        ),
        Row(
            testDescription: "a refund that the books have a day later",
            billed: [refunded("a", 100, "RF-1")],
            refunds: [refund("a", 100, at: day.upperBound.addingTimeInterval(60))]
        ),
        Row(
            testDescription: "a refund that the bill of the day before has",
            elsewhere: [refunded("a", 100, "RF-1", after: -86_400)],
            refunds: [refund("a", 100)]
        ),
        Row(
            testDescription: "a refund that nobody requested",
            billed: [refunded("a", 100, "X-1")],
            found: ["refunded_there a 100 -"]
        ),
        Row(
            testDescription: "a refund that was approved and is not booked yet",
            billed: [refunded("a", 100, "RF-000001")],
            requests: [RequestedRefund(number: "RF-000001", transactionID: "a")]
        ),
        Row(
            testDescription: "a refund whose number begins like a request's",
            billed: [refunded("a", 100, "RF-0000012")],
            requests: [RequestedRefund(number: "RF-000001", transactionID: "a")],
            found: ["refunded_there a 100 -"]
        ),
        Row(
            testDescription: "a refund of the books alone",
            refunds: [refund("a", 100)],
            found: ["refunded_here a - 100"]
        ),
        Row(testDescription: "a refund that a torn bill lacks", refunds: [refund("a", 100)], isWhole: false),
        Row(
            testDescription: "another amount given back",
            billed: [refunded("a", 99, "RF-1")],
            refunds: [refund("a", 100)],
            found: ["refund_amount a 99 100"]
        ),
        Row(
            testDescription: "two refunds in another order, one of them twice",
            billed: [refunded("a", 100, "1"), refunded("a", 200, "2", after: 60), refunded("a", 200, "3", after: 120)],
            refunds: [refund("a", 200), refund("a", 100)],
            found: ["refunded_there a 200 -"]
        ),
        Row(
            testDescription: "a refund without a number",
            billed: [refunded("a", 100, nil)],
            found: ["refunded_there a 100 -"]
        ),
    ]

    @Test("each row of the table", arguments: rows)
    func table(_ row: Row) {
        let reconciliation = BillReconciliation(
            billed: row.billed,
            billedElsewhere: row.elsewhere,
            payments: row.payments,
            refunds: row.refunds,
            requests: row.requests,
            day: Self.day,
            isWhole: row.isWhole
        )
        let found = reconciliation.differences.map { difference in
            let sides = [difference.billed, difference.booked].map { $0.map { "\($0.minorUnits)" } ?? "-" }
            return "\(difference.kind.rawValue) \(difference.transactionID) \(sides.joined(separator: " "))"
        }
        #expect(found == row.found)
    }

    @Test("a difference that is found again has the key that it had")
    func keys() {
        let rows = [Self.paid("a", 1), Self.refunded("b", 2, "X"), Self.refunded("b", 3, nil)]
        let twice = (0..<2).map { _ in
            BillReconciliation(billed: rows, payments: [], day: Self.day, isWhole: true).differences.map(\.key)
        }
        #expect(twice[0] == twice[1] && Set(twice[0]).count == 3)
    }
}
