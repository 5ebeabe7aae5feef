import Billing
import HTTP
package import Storage
package import Words

/// An action on a refund request that has a page of its own.
package enum RefundAction: String, Sendable, CaseIterable {
    case approval
    case rejection
    case payment
    case cancellation
    /// Once more to its store.
    case sending
    /// To another account at its store.
    case settlement

    package func path(of number: String) -> String { DashboardPath.refund(number) + "/" + rawValue }

    /// Returns true if a button for it stands on the request's page.
    package func isOffered(on details: RefundDetails, to person: RefundPerson) -> Bool {
        guard isPossible(for: details) else { return false }
        return switch self {
        case .approval: person.decides && person.bar(from: details) == nil
        case .rejection, .payment, .sending, .settlement: person.decides
        case .cancellation: person.mayCancel(details.request)
        }
    }

    /// Returns true if the request, and what its store is doing about it, stand where this begins.
    package func isPossible(for details: RefundDetails) -> Bool {
        guard isPossible(for: details.request) else { return false }
        guard let state = details.payout?.payout.state else { return self != .sending && self != .settlement }
        return switch self {
        case .approval, .rejection: true
        case .sending: state == .unpaid
        case .settlement: state == .abnormal && details.payout?.storeID != nil
        case .payment: state.allowsPayingByHand
        case .cancellation: state.allowsCancelling
        }
    }

    /// Returns true if the request stands where this begins.
    package func isPossible(for request: RefundRequest) -> Bool {
        switch (self, request.refund.status) {
        case (.approval, .pending), (.rejection, .pending), (.payment, .approved), (.cancellation, .pending),
            (.cancellation, .approved), (.sending, .approved), (.settlement, .approved):
            true
        case (_, .pending), (_, .approved), (_, .processed), (_, .rejected), (_, .cancelled), (_, .expired): false
        }
    }

    /// Returns true if it is the next thing to do: nobody has to mark as paid what a store pays.
    package func isPrimary(for details: RefundDetails) -> Bool {
        switch self {
        case .approval, .sending, .settlement: true
        case .payment:
            !details.request.isDecided(by: details.order.order.store)
                && details.payout?.payout.state.needsPeople ?? true
                && !Self.sending.isPossible(for: details) && !Self.settlement.isPossible(for: details)
        case .rejection, .cancellation: false
        }
    }

    package func link(_ strings: Strings) -> StaticString {
        switch self {
        case .approval: strings.refundsApprove
        case .rejection: strings.refundsReject
        case .payment: strings.refundsPay
        case .cancellation: strings.refundsCancel
        case .sending: strings.refundsSend
        case .settlement: strings.refundsSettle
        }
    }

    /// The question.
    ///
    /// - Parameter payback: the amount that a store that decides for itself would pay back; nil for any other.
    package func title(_ amount: String, _ payback: PaybackText?, _ order: String, _ strings: Strings) -> String {
        switch self {
        case .approval:
            switch payback {
            case .about(let amount):
                strings.refundsApproveTitle(amount: strings.refundsAbout(amount: amount), order: order)
            case .unknown(let store): strings.refundsApproveTitleUnknown(order: order, store: store)
            case nil: strings.refundsApproveTitle(amount: amount, order: order)
            }
        case .rejection: strings.refundsRejectTitle(amount: amount, order: order)
        case .payment: strings.refundsPayTitle(amount: amount, order: order)
        case .cancellation: strings.refundsCancelTitle(amount: amount, order: order)
        case .sending: strings.refundsSendTitle(amount: amount, order: order)
        case .settlement: strings.refundsSettleTitle(amount: amount, order: order)
        }
    }

    /// The answer that does it.
    package func submit(_ amount: String, _ payback: PaybackText?, _ strings: Strings) -> String {
        switch self {
        case .approval:
            switch payback {
            case .about(let amount): strings.refundsApproveSubmit(amount: strings.refundsAbout(amount: amount))
            case .unknown(let store): strings.refundsApproveSubmitUnknown(store: store)
            case nil: strings.refundsApproveSubmit(amount: amount)
            }
        case .rejection: strings.refundsRejectSubmit(amount: amount)
        case .payment: strings.refundsPaySubmit(amount: amount)
        case .cancellation: strings.refundsCancelSubmit(amount: amount)
        case .sending: strings.refundsSendSubmit(amount: amount)
        case .settlement: strings.refundsSettleSubmit(amount: amount)
        }
    }
}

/// The amount that a store that decides for itself would pay back, in words.
package enum PaybackText: Sendable {
    case about(String)
    /// The store alone works it out.
    case unknown(store: String)
}
