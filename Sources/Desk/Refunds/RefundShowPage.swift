import Billing
package import Foundation
package import HTTP
import Operations
package import Storage
package import Words

/// One refund request: `/dashboard/refunds/{number}`.
package struct RefundShowPage: Sendable {
    let frame: DashboardFrame
    package var strings: Strings { frame.strings }
    let title: String
    let backHref: String
    let backText: StaticString
    let number: String
    let status: RefundStatusText
    let summary: String
    let isSandbox: Bool
    /// Sentences on what is going on, or on who can go on.
    let notes: [String]
    /// The page on which what holds up the answer to a store is recorded; nil where nothing does.
    let consentLink: ActionPage.Link?
    let deadline: String?
    let isUrgent: Bool
    let actions: [Action]
    /// nil for those who may not read the audit log.
    let historyHref: String?
    let reason: String
    let category: String
    let note: String?
    let orderHref: String
    let orderNumber: String
    let facts: [ActionPage.Fact]
    /// The answer to the store that asked; empty where it did not ask.
    let answering: [ActionPage.Fact]
    let answeringTitle: String
    /// The payment by the store; empty where people pay.
    let payout: [ActionPage.Fact]
    let payoutTitle: String
    let payoutAdvice: String
    let payoutSteps: [PayoutStep]
    let evidence: [ActionPage.Fact]
    let customer: [ActionPage.Fact]
    let customerHref: String
    let isPersonalDataHidden: Bool
    let history: [Step]

    struct Action: Sendable {
        var text: StaticString
        var href: String
        var isPrimary: Bool
    }

    struct Step: Sendable {
        var name: StaticString
        var actor: String
        var reason: String?
        var moment: DateText
        /// nil for those who may not read the audit log.
        var auditHref: String?
    }

    /// - Parameter person: the person who looks at it.
    package init(details: RefundDetails, person: RefundPerson, from: String?, viewer: Viewer, now: Date) {
        let (request, order, strings) = (details.request, details.order.order, viewer.strings)
        let text = RefundText(viewer, now: now)
        let own = DashboardPath.refund(request.number)
        let back = DashboardPath.safe(from)
        frame = DashboardFrame(viewer, section: .refunds, path: own + DashboardPath.suffix(from: back), now: now)
        backHref = back ?? DashboardPath.refunds
        backText = BackText.name(of: backHref, otherwise: strings.refundsTitle, strings)
        number = request.number
        status = text.status(of: request)
        title = "\(request.number), \(status.word)"
        let asked = strings.refundsRequestedBy(
            ago: text.ago(request.requested.at),
            person: text.person(request.requested, details.people)
        )
        summary = [text.name(of: request.refund.kind).description, text.amount(request.refund.shown), asked]
            .joined(separator: " · ")
        isSandbox = order.environment == .sandbox
        deadline = text.deadline(of: request, at: order.store)
        isUrgent = text.isUrgent(request)
        let prospect = details.prospect(at: now)
        notes = Self.notes(details, prospect, person, text)
        consentLink = details.consentLink(prospect, from: own, viewer)
        actions = RefundAction.allCases.filter { $0.isOffered(on: details, to: person) }.map { step in
            Action(
                text: step.link(strings),
                href: step.path(of: request.number) + DashboardPath.suffix(from: back),
                isPrimary: step.isPrimary(for: details)
            )
        }
        let seesAudit = person.role.may(.viewAudit)
        historyHref = seesAudit ? DashboardPath.history(of: "refund", request.number) : nil
        let store = StoreText.name(of: order.store, strings).description
        reason = text.reason(of: request, for: viewer)
        category =
            request.isOpenedByStore
            ? strings.refundsStoreCase(store: store)
            : Reason.Category(rawValue: request.reasonCategory).map { strings.name(of: $0).description }
                ?? request.reasonCategory
        note = request.internalNote?.shown(to: viewer)
        orderHref = DashboardPath.order(order.number, from: own)
        orderNumber = order.number
        facts = Self.facts(details, text, viewer)
        answering = details.answering.map { StoreAnswerText($0, prospect, to: request, at: store, text).facts } ?? []
        answeringTitle = strings.refundsAnsweringTitle(store: store)
        let paid = PayoutText(order.store, strings)
        payout = details.payout.map { paid.facts($0, of: order.store.rules, text) } ?? []
        payoutTitle = strings.refundsPayoutTitle(store: store)
        payoutAdvice = details.payout.map(paid.advice) ?? ""
        payoutSteps = paid.steps(details.payoutSteps, text)
        evidence = RefundEvidence.facts(details.evidence, details.refundable, details.order, text)
        customer = Self.customer(details.order.customer, viewer)
        customerHref = DashboardPath.customer(details.order.customer.id, from: own)
        isPersonalDataHidden = !viewer.seesPersonalData
        history = details.history.map {
            Step($0, text, people: details.namesByAddress, for: viewer, seesAudit: seesAudit)
        }
    }

    var isAnswering: Bool { !answering.isEmpty }
    var isPaidByStore: Bool { !payout.isEmpty }
    var hasActions: Bool { !actions.isEmpty || historyHref != nil }

    /// Returns what comes next, from the state that decides it: the payment of a store that pays for us, the answer to one that decides,
    /// and the request's own status for the others.
    private static func notes(
        _ details: RefundDetails,
        _ prospect: AnswerProspect?,
        _ person: RefundPerson,
        _ text: RefundText
    ) -> [String] {
        let (request, strings) = (details.request, text.strings)
        let store = StoreText.name(of: details.order.order.store, text.strings).description
        let next = prospect.flatMap { text.next($0, at: store, mayBePaid: request.refund.status == .approved) }
        switch request.refund.status {
        case .pending:
            // The sentence on an obstacle is for everybody: whoever may remove it need not be who decides.
            let obstacle = prospect?.obstacle == nil ? nil : next
            guard person.decides else {
                return [strings.refundsAdminDecides.description] + [obstacle].compactMap { $0 }
            }
            if request.isOpenedByStore {
                return [strings.refundsStoreCaseNote(store: store)] + [obstacle].compactMap { $0 }
            }
            return [person.bar(from: details).map { text.sentence($0) }, obstacle].compactMap { $0 }
        case .approved:
            if let payout = details.payout { return [PayoutText(details.order.order.store, strings).advice(payout)] }
            guard prospect != nil else { return [strings.refundsWaitingHand.description] }
            return [next].compactMap { $0 }
        case .rejected:
            if let declined = request.storeDeclinedAt {
                return [strings.refundsDeclinedNote(store: store, when: text.moment(declined))]
            }
            // Of a request that the store never asked about nothing is to come.
            return prospect == .notAsked ? [] : [next].compactMap { $0 }
        case .processed, .cancelled, .expired: return []
        }
    }

    private static func facts(_ details: RefundDetails, _ text: RefundText, _ viewer: Viewer) -> [ActionPage.Fact] {
        let (request, strings, people) = (details.request, text.strings, details.people)
        let store = StoreText.name(of: details.order.order.store, text.strings).description
        var facts: [ActionPage.Fact] = []
        func add(_ name: some CustomStringConvertible, _ value: String?, at moment: Date? = nil) {
            guard let value else { return }
            facts.append(ActionPage.Fact(name: name.description, value: value, at: moment.map(text.stamp)))
        }
        add(strings.refundsFactKind, text.name(of: request.refund.kind).description)
        add(strings.refundsFactRequested, text.amount(request.refund.requested))
        add(strings.refundsFactApproved, request.refund.approved.map(text.amount))
        add(strings.refundsFactProcessed, request.refund.processed.map(text.amount))
        if request.refund.status.isOpen { add(strings.refundsFactLeft, text.amount(details.refundable.left)) }
        add(strings.refundsFactRequester, text.byAt(request.requested, people), at: request.requested.at)
        add(strings.refundsFactDecider, text.byAt(request.decided, people), at: request.decided?.at)
        if request.finished != request.decided {
            add(strings.refundsFactEnded, text.byAt(request.finished, people), at: request.finished?.at)
        }
        add(strings.refundsFactAnswer(store: store), request.refundPreference.map { text.name(of: $0).description })
        if request.refund.status.isOpen, request.isDecided(by: details.order.order.store),
            let preference = request.refundPreference,
            let amount = StorePayback(details.refundable, at: text.now).amount(for: preference)
        {
            add(strings.refundsFactPayback(store: store), strings.refundsAbout(amount: text.amount(amount)))
        }
        if let consumption = request.consumptionRequest {
            add(
                strings.refundsFactAsked(store: store),
                text.moment(consumption.requestedAt),
                at: consumption.requestedAt
            )
            if consumption.lastRequestedAt > consumption.requestedAt {
                add(
                    strings.refundsFactAskedAgain,
                    text.moment(consumption.lastRequestedAt),
                    at: consumption.lastRequestedAt
                )
            }
            add(strings.refundsFactDeadline, text.moment(consumption.dueAt), at: consumption.dueAt)
        } else if request.refund.status.isOpen {
            add(strings.refundsFactDeadline, request.expiresAt.map(text.moment), at: request.expiresAt)
        }
        if request.isOpenedByStore {
            let decision = request.storeDecision
            add(strings.refundsFactStoreDecision(store: store), text.decision(decision), at: decision?.at)
        }
        if let payment = request.payment {
            add(strings.refundsFactPayer, payment.payer == .store ? store : strings.refundsPaidElsewhere.description)
            add(strings.refundsFactReference, payment.reference?.shown(to: viewer))
            if payment.payer == .store, payment.reference != nil {
                let word = payment.storeReference == nil ? strings.refundsConfirmedNo : strings.refundsConfirmedYes
                add(strings.refundsFactConfirmed, word.description)
            }
        }
        return facts
    }

    private static func customer(_ customer: OrderDetails.Customer, _ viewer: Viewer) -> [ActionPage.Fact] {
        let strings = viewer.strings
        var facts: [ActionPage.Fact] = []
        if let name = customer.name?.shown(to: viewer) {
            facts.append(ActionPage.Fact(name: strings.refundsCustomerName.description, value: name))
        }
        if let email = customer.email?.shown(to: viewer) {
            facts.append(ActionPage.Fact(name: strings.refundsCustomerEmail.description, value: email))
        }
        return facts + [ActionPage.Fact(name: strings.refundsCustomerKey.description, value: customer.key)]
    }
}

extension RefundShowPage.Step {
    fileprivate init(
        _ step: RefundDetails.Step,
        _ text: RefundText,
        people: [String: String],
        for viewer: Viewer,
        seesAudit: Bool
    ) {
        let strings = text.strings
        name =
            switch step.action {
            case "refund.request": strings.refundsStepRequest
            case "refund.approve": strings.refundsStepApprove
            case "refund.reject": strings.refundsStepReject
            case "refund.cancel": strings.refundsStepCancel
            case "refund.process": strings.refundsStepProcess
            case "refund.confirm": strings.refundsStepConfirm
            case "refund.decline": strings.refundsStepDecline
            case "refund.expire": strings.refundsStepExpire
            case "refund.answer": strings.refundsStepAnswer
            case "refund.send": strings.refundsStepSend
            case "refund.settle": strings.refundsStepSettle
            default: strings.refundsStepChange
            }
        actor = people[step.actor] ?? text.actor(step.actor)
        // The category is a word for programs.
        reason = step.reason?.shown(to: viewer).map { reason in
            reason.firstIndex(of: ":").map { String(reason[reason.index(after: $0)...].drop { $0 == " " }) } ?? reason
        }
        moment = DateText(step.at, in: text.zone, text.strings)
        auditHref = seesAudit ? DashboardPath.auditEntry(step.id) : nil
    }
}

extension Refund {
    /// The amount that counts now.
    var shown: Money { processed ?? approved ?? requested }
}

extension RefundDetails {
    /// The names of the people in the request, by the addresses that the log knows them by.
    fileprivate var namesByAddress: [String: String] {
        let acts = [request.requested, request.decided, request.finished].compactMap { $0 }
        return acts.reduce(into: [:]) { names, act in
            if let staff = act.staff { names[act.actor] = people[staff] }
        }
    }
}
