package import Billing
import Foundation
package import Storage

/// The payment of an approved refund, as the person who made it reports it.
package struct RefundPayment: Sendable, Hashable {
    package var payer: RefundPayer
    /// The number of the transfer, or the store's own number of the refund, as it was typed.
    package var reference: String

    package init(payer: RefundPayer, reference: String) {
        self.payer = payer
        self.reference = reference
    }

    package static let referenceLength = 3...100

    /// The reference as it is kept.
    ///
    /// - Throws: `OperationsError` with `.invalid` and the field `reference`.
    package func checkedReference() throws(OperationsError) -> String {
        let words = reference.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        let length = Self.referenceLength
        switch words.count {
        case 0: throw OperationsError(problems: [FieldProblem("reference", .missing)])
        case ..<length.lowerBound:
            throw OperationsError(problems: [FieldProblem("reference", .tooShort(length.lowerBound))])
        case (length.upperBound + 1)...:
            throw OperationsError(problems: [FieldProblem("reference", .tooLong(length.upperBound))])
        case _: return words
        }
    }
}

extension BackOffice {
    /// Marks an approved refund as paid: the ledger's entry, the order's status and amount, and the request in one
    /// transaction.
    ///
    /// A message of the store's about the same money confirms it later, and books nothing twice. While a store that pays for us may be paying
    /// it is refused, so that nobody pays twice.
    /// - Throws: `OperationsError`: `.forbidden` (written down), `.notFound`, `.stale` or `.conflict` with who was faster because too
    ///   little is left or a store may be paying it, `.invalid` for the reference.
    package func processRefund(
        _ number: String,
        app: App.ID,
        _ payment: RefundPayment,
        reason: Reason?,
        key: IdempotencyKey? = nil,
        version: Int? = nil,
        caller: Caller
    ) async throws -> ActionOutcome {
        let desk = RefundWorkflow(backOffice: self, app: app, number: number, action: .processRefund, caller: caller)
        try await desk.require(.decideRefunds)
        let reference = try payment.checkedReference()
        return try await desk.change(key, version: version, reason: reason) { request, order, transaction in
            let amount = request.refund.approved ?? request.refund.requested
            try request.refund.take(.process(amount))
            try await withdrawPayout(of: request, if: \.allowsPayingByHand, in: transaction)
            let left = order.amount.minorUnits.minus(order.refunded.minorUnits).minus(order.credited.minorUnits)
            guard amount.minorUnits <= left else {
                throw OperationsError(
                    .conflict,
                    "Only \(Money(minorUnits: left, currency: amount.currency)) is left of the charge: the store gave some of it "
                        + "back. Cancel \(number) and ask for what is left."
                )
            }
            request.finished = desk.act(at: transaction.now, reason)
            request.payment = RefundRequest.Payment(
                payer: payment.payer,
                reference: Personal(reference),
                storeReference: nil
            )
            guard let booked = request.bookedByHand else { return }
            let held = try await heldPeriods(beside: order, in: transaction)
            try await transaction.refunds.book(booked, of: order, app: app)
            guard !held.isEmpty else { return }
            // The books are worked out anew with what is kept of the request.
            try await transaction.refunds.save(request)
            try await takeBack(order, after: amount, number, held, app: app, in: transaction)
        }
    }
}
