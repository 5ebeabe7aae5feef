import Billing
import Foundation
import HTTP
import Storage
import Words

/// The payment of a refund by its store, in words: where it stands, what there is to do, and each step.
struct PayoutText: Sendable {
    let strings: Strings
    /// As people call it.
    let store: String

    init(_ store: Store, _ strings: Strings) {
        self.strings = strings
        self.store = StoreText.name(of: store, strings).description
    }

    func name(of state: RefundPayout.State) -> StaticString {
        switch state {
        case .waiting: strings.refundsPayoutWaiting
        case .sent: strings.refundsPayoutSent
        case .unpaid: strings.refundsPayoutUnpaid
        case .processing: strings.refundsPayoutProcessing
        case .paid: strings.refundsPayoutPaid
        case .closed: strings.refundsPayoutClosed
        case .abnormal: strings.refundsPayoutAbnormal
        case .refused: strings.refundsPayoutRefused
        case .withdrawn: strings.refundsPayoutWithdrawn
        }
    }

    /// Returns the sentence on what happens next, or on what there is to do.
    func advice(_ payout: StoredPayout) -> String {
        switch payout.payout.state {
        case .waiting: strings.refundsPayoutAdviceWaiting(store: store)
        case .sent: strings.refundsPayoutAdviceSent(store: store)
        case .unpaid: strings.refundsPayoutAdviceUnpaid(store: store)
        case .processing: strings.refundsPayoutAdviceProcessing(store: store)
        case .paid:
            payout.isRequested
                ? strings.refundsPayoutAdvicePaid(store: store) : strings.refundsPayoutAdviceUnasked(store: store)
        case .closed: strings.refundsPayoutAdviceClosed(store: store)
        case .abnormal: strings.refundsPayoutAdviceAbnormal(store: store)
        case .refused: payout.obstacle.map(reason) ?? strings.refundsPayoutAdviceRefused(store: store)
        case .withdrawn: strings.refundsPayoutAdviceWithdrawn(store: store)
        }
    }

    private func reason(_ obstacle: RefundLimits.Obstacle) -> String {
        switch obstacle {
        case .wholeOrdersOnly: strings.refundsPayoutWholeOnly(store: store)
        case .tooOld: strings.refundsPayoutTooOld(store: store)
        case .tooMany: strings.refundsPayoutTooMany(store: store)
        }
    }

    func facts(_ payout: StoredPayout, of rules: StoreRules, _ text: RefundText) -> [ActionPage.Fact] {
        var facts = [
            ActionPage.Fact(
                name: strings.refundsChangeStatus.description,
                value: name(of: payout.payout.state).description
            )
        ]
        facts.append(ActionPage.Fact(name: strings.refundsPayoutNumber(store: store), value: payout.number))
        if let id = payout.storeID {
            facts.append(ActionPage.Fact(name: strings.refundsPayoutStoreId(store: store), value: id))
        }
        facts.append(ActionPage.Fact(name: strings.refundsPayoutPayment.description, value: payout.transactionID))
        if rules.revokesOnRequest {
            let word = payout.revokes ? strings.refundsRevokeYes : strings.refundsRevokeNo
            facts.append(ActionPage.Fact(name: strings.refundsRevokeLabel(store: store), value: word.description))
        }
        if let asked = payout.askedAt {
            facts.append(
                ActionPage.Fact(
                    name: strings.refundsPayoutAsked(store: store),
                    value: text.moment(asked),
                    at: text.stamp(asked)
                )
            )
        }
        return facts
    }

    func steps(_ steps: [StoredPayout.Step], _ text: RefundText) -> [PayoutStep] {
        steps.map { PayoutStep(name: name(of: $0.state), words: $0.words, moment: text.stamp($0.at)) }
    }
}

/// One step of a payment by a store, as pages show it.
struct PayoutStep: Sendable {
    var name: StaticString
    /// In the store's words.
    var words: String?
    var moment: DateText
}
