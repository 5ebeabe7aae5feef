package import Foundation

/// Compares a store's bill of a day with the books, row by row: a decision about values.
///
/// A payment is known by the store's number of it. A refund has no number that both sides always know, so refunds are matched order by
/// order: first those of one amount, then by our number of the request, then what is left on both sides in the order of time.
package struct BillReconciliation: Sendable {
    /// The rows of the bill.
    package var billed: [BilledMovement]
    /// The refunds that bills of other days have of the orders whose refunds are compared.
    package var billedElsewhere: [BilledMovement]
    /// Those of the day, and those that the bill's rows are of.
    package var payments: [BookedPayment]
    /// All refunds of the orders of which the day or the bill has one.
    package var refunds: [BookedRefund]
    package var requests: [RequestedRefund]
    /// The day, by the store's clock.
    package var day: Range<Date>
    /// The bill has all rows of its day. Where it broke off, or has a line that nobody can read, nothing is known to be missing in it.
    package var isWhole: Bool

    package init(
        billed: [BilledMovement],
        billedElsewhere: [BilledMovement] = [],
        payments: [BookedPayment],
        refunds: [BookedRefund] = [],
        requests: [RequestedRefund] = [],
        day: Range<Date>,
        isWhole: Bool
    ) {
        (self.billed, self.billedElsewhere, self.payments) = (billed, billedElsewhere, payments)
        (self.refunds, self.requests, self.day, self.isWhole) = (refunds, requests, day, isWhole)
    }

    /// Payments first; each in the order of its time.
    package var differences: [BillDifference] {
        paymentDifferences.sorted { ($0.at, $0.key) < ($1.at, $1.key) }
            + refundDifferences.sorted { ($0.at, $0.key) < ($1.at, $1.key) }
    }

    private var paymentDifferences: [BillDifference] {
        let booked = Dictionary(payments.map { ($0.transactionID, $0) }) { first, _ in first }
        var differences: [BillDifference] = []
        var seen: Set<String> = []
        for row in billed where row.kind == .payment && seen.insert(row.transactionID).inserted {
            let known = booked[row.transactionID]
            if let known, known.amount == row.amount { continue }
            differences.append(
                BillDifference(
                    known == nil ? .paidThere : .paymentAmount,
                    key: row.transactionID,
                    orderNumber: row.orderNumber,
                    transactionID: row.transactionID,
                    order: known?.order,
                    billed: row.amount,
                    booked: known?.amount,
                    at: row.at
                )
            )
        }
        guard isWhole else { return differences }
        for payment in payments where day.contains(payment.at) && !payment.isBilled {
            guard seen.insert(payment.transactionID).inserted else { continue }
            differences.append(
                BillDifference(
                    .paidHere,
                    key: payment.transactionID,
                    orderNumber: payment.orderNumber,
                    transactionID: payment.transactionID,
                    order: payment.order,
                    booked: payment.amount,
                    at: payment.at
                )
            )
        }
        return differences
    }

    private var refundDifferences: [BillDifference] {
        let here = billed.filter { $0.kind == .refund }
        let byPayment = Dictionary(grouping: here.map { (row: $0, isOfDay: true) } + elsewhere) { $0.row.transactionID }
        let booked = Dictionary(grouping: refunds, by: \.transactionID)
        let numbers = Dictionary(grouping: requests, by: \.transactionID).mapValues { Set($0.map(\.number)) }
        return Set(byPayment.keys).union(booked.keys).flatMap { transaction in
            differences(
                of: byPayment[transaction, default: []],
                from: booked[transaction, default: []],
                requested: numbers[transaction, default: []]
            )
        }
    }

    private var elsewhere: [(row: BilledMovement, isOfDay: Bool)] {
        billedElsewhere.filter { $0.kind == .refund }.map { ($0, false) }
    }

    /// Of one order.
    private func differences(
        of rows: [(row: BilledMovement, isOfDay: Bool)],
        from entries: [BookedRefund],
        requested: Set<String>
    ) -> [BillDifference] {
        var unbilled = entries.sorted { ($0.at, $0.entry.uuidString) < ($1.at, $1.entry.uuidString) }
        var unbooked: [(row: BilledMovement, isOfDay: Bool)] = []
        for billed in rows.sorted(by: { ($0.row.at, $0.row.refundKey) < ($1.row.at, $1.row.refundKey) }) {
            if let match = unbilled.firstIndex(where: { $0.amount == billed.row.amount }) {
                unbilled.remove(at: match)
            } else {
                unbooked.append(billed)
            }
        }
        var differences: [BillDifference] = []
        for billed in unbooked {
            let isRequested =
                billed.row.refundNumber.map { number in requested.contains { number.isRefund(of: $0) } } ?? false
            // A refund approved here and not booked yet is on its way: the store was quicker.
            let other = unbilled.isEmpty ? nil : unbilled.removeFirst()
            if other == nil, isRequested { continue }
            guard billed.isOfDay || other.map({ day.contains($0.at) }) == true else { continue }
            differences.append(
                BillDifference(
                    other == nil ? .refundedThere : .refundAmount,
                    key: billed.row.refundKey,
                    orderNumber: billed.row.orderNumber,
                    transactionID: billed.row.transactionID,
                    refundNumber: billed.row.refundNumber,
                    order: other?.order ?? payments.first { $0.transactionID == billed.row.transactionID }?.order,
                    billed: billed.row.amount,
                    booked: other?.amount,
                    at: billed.row.at
                )
            )
        }
        guard isWhole else { return differences }
        for entry in unbilled where day.contains(entry.at) {
            differences.append(
                BillDifference(
                    .refundedHere,
                    key: entry.entry.uuidString.lowercased(),
                    orderNumber: entry.orderNumber,
                    transactionID: entry.transactionID,
                    order: entry.order,
                    booked: entry.amount,
                    at: entry.at
                )
            )
        }
        return differences
    }
}

extension BilledMovement {
    /// Names a refund; a store may have given it no number.
    fileprivate var refundKey: String {
        "\(transactionID)/\(refundNumber ?? "\(at.milliseconds)-\(amount.minorUnits)")"
    }
}

extension String {
    /// A refund's number is its request's, or begins with it.
    fileprivate func isRefund(of request: String) -> Bool {
        self == request || hasPrefix("\(request)-") || hasPrefix("\(request)_")
    }
}
