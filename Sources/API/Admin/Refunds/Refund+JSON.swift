import APITypes
import Billing
import Foundation
import HTTP
import Storage

extension APITypes.Refund {
    /// A refund request in the readmigo document's words.
    init(
        _ request: RefundRequest,
        order: String,
        payoutState: RefundPayout.State? = nil,
        unanswered: Unanswered? = nil,
        payout: StorePayout? = nil,
        for reader: some PersonalDataReader
    ) {
        let refund = request.refund
        self.init(
            id: request.id.uuid,
            number: request.number,
            orderId: request.order.uuid,
            orderNumber: order,
            type: refund.kind.rawValue.uppercased(),
            status: refund.status.rawValue.uppercased(),
            requestedAmount: Amount(refund.requested),
            approvedAmount: refund.approved.map { Amount($0) },
            processedAmount: refund.processed.map { Amount($0) },
            currency: refund.requested.currency.code,
            category: request.reasonCategory,
            reason: request.reason.shown(to: reader),
            internalNote: request.internalNote?.shown(to: reader),
            reference: request.payment?.reference?.shown(to: reader),
            requestedBy: request.requested.actor,
            openedByStore: request.isOpenedByStore,
            consumptionReason: request.consumptionRequest?.reason?.rawValue,
            consumptionRequestedAt: request.consumptionRequest?.requestedAt,
            consumptionLastRequestedAt: request.consumptionRequest?.lastRequestedAt,
            consumptionDueAt: request.consumptionRequest?.dueAt,
            refundPreference: request.refundPreference?.rawValue,
            storeDecision: request.storeDecision?.word,
            storeDecidedAt: request.storeDecision?.at,
            decidedBy: request.decided?.actor,
            decidedAt: request.decided?.at,
            processedAt: refund.status == .processed ? request.finished?.at : nil,
            expiresAt: request.expiresAt,
            createdAt: request.requested.at,
            version: request.version,
            payoutState: payout?.state ?? payoutState?.rawValue.uppercased(),
            unanswered: unanswered,
            payout: payout
        )
    }
}

extension StorePayout {
    /// - Parameter steps: oldest first.
    init(_ stored: StoredPayout, _ steps: [StoredPayout.Step]) {
        self.init(
            state: stored.payout.state.rawValue.uppercased(),
            number: stored.number,
            storeId: stored.storeID,
            requested: stored.isRequested,
            revokes: stored.revokes,
            obstacle: stored.obstacle?.rawValue.uppercased(),
            sentAt: stored.sentAt,
            askedAt: stored.askedAt,
            paidAt: stored.paidAt,
            steps: steps.map { PayoutStep(state: $0.state.rawValue.uppercased(), at: $0.at, words: $0.words) }
        )
    }
}
