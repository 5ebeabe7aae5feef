package import Billing
package import Foundation
package import HTTP
package import Storage
package import Words

/// A store's bill of a day, and its differences: `/dashboard/bills/{id}`.
package struct BillShowPage: Sendable {
    let frame: DashboardFrame
    package var strings: Strings { frame.strings }
    let title: String
    let backHref: String
    let store: String
    let isSandbox: Bool
    let status: StatusText
    let problem: String?
    let isIncomplete: Bool
    let unreadable: [String]
    let asked: DateText?
    let fetched: DateText?
    let next: DateText?
    let facts: [Fact]
    let hasRows: Bool
    let rows: [BillDifferenceLine]
    let zoneLabel: String

    struct Fact: Sendable {
        let name: String
        let value: String
    }

    /// - Parameter fee: the app's share of the store's; with it the bill's fees are compared.
    package init(
        _ row: ListedBill,
        sums: [BillSums],
        differences: [ListedBillDifference],
        fee: StoreFee,
        viewer: Viewer,
        now: Date
    ) {
        let (strings, zone, bill) = (viewer.strings, viewer.zone, row.bill)
        let own = DashboardPath.bill(bill.id)
        frame = DashboardFrame(viewer, section: .sync, path: own, now: now)
        backHref = DashboardPath.bills
        store = StoreText.name(of: bill.store, strings)
        title = strings.billsOf(day: PeriodText.day(bill.day, strings), store: StoreText.name(of: bill.store, strings))
        isSandbox = bill.environment == .sandbox
        status = BillText.status(of: bill, strings)
        problem = bill.problem
        isIncomplete = bill.state == .incomplete
        unreadable = bill.unreadable
        asked = bill.askedAt.map { DateText($0, in: zone, strings, showsSeconds: true) }
        fetched = bill.fetchedAt.map { DateText($0, in: zone, strings, showsSeconds: true) }
        next = bill.nextAt.map { DateText($0, in: zone, strings, showsSeconds: true) }
        facts = sums.flatMap { Self.facts($0, fee.share(under: StoreTerms.world, at: bill.store), strings) }
        hasRows = !differences.isEmpty
        rows = differences.map { BillDifferenceLine($0, from: own, viewer) }
        zoneLabel = zone.label
    }

    private static func facts(_ sums: BillSums, _ share: StoreFee.Share, _ strings: Strings) -> [Fact] {
        func text(_ units: Int64) -> String {
            let money = MoneyText(units, sums.currency, strings)
            return "\(money.amount) \(money.currency)"
        }
        var facts = [
            Fact(name: strings.billsPayments(count: sums.payments).description, value: text(sums.paid)),
            Fact(name: strings.billsRefunds(count: sums.refunds).description, value: text(sums.refunded)),
        ]
        if let fees = sums.fees {
            facts.append(Fact(name: strings.billsFees.description, value: text(fees)))
            let expected = sums.paid.minus(sums.refunded).share(of: share.firstYear)
            facts.append(Fact(name: strings.billsFeesExpected.description, value: text(expected)))
        }
        return facts
    }
}

extension Int64 {
    /// A part of it in basis points, rounded half away from zero.
    fileprivate func share(of basisPoints: Int) -> Int64 {
        // safe: 64 bits times 64 bits are an Int128
        let part = Int128(self) * Int128(basisPoints)
        return Int64(clamping: (part + (part < 0 ? -5_000 : 5_000)) / 10_000)
    }
}
