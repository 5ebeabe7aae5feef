import Billing
import Foundation
import Storage

@testable import Desk
@testable import HTTP

extension Sample {
    static let lin = Staff.ID(uuid(900))
    static let mei = Staff.ID(uuid(901))
    static let names = [lin: "Lin Wei", mei: "Mei Tanaka"]
    static let decider = RefundPerson(staff: lin, role: .admin)

    static func yuan(_ fen: Int64) -> Money { Money(minorUnits: fen, currency: currency("CNY")) }

    static let policy = RefundPolicy.standard(in: currency("CNY"))
    static let evidence = RefundDetails.Evidence(refundsBefore: 1, spent: [yuan(25_600)], orders: 2)

    /// An order of 128.00 of which 40.00 was refunded, 11 days into its year.
    static let refundable = RefundableOrder(
        status: .partiallyRefunded,
        amount: yuan(12_800),
        refunded: yuan(4_000),
        held: yuan(0),
        periodStartsAt: now.addingTimeInterval(-11 * 86_400),
        periodEndsAt: now.addingTimeInterval(354 * 86_400)
    )

    static func request(
        _ number: Int = 77,
        _ refund: Refund = Refund(kind: .prorated, requested: yuan(3_120)),
        by requester: Staff.ID = mei,
        askedHoursAgo hours: Double? = 9.83
    ) -> RefundRequest {
        RefundRequest(
            id: Refund.ID(uuid(2_000 + number)),
            app: App.ID(uuid(1)),
            order: Order.ID(uuid(1)),
            number: RefundNumber(number).description,
            refund: refund,
            reasonCategory: "mistaken_purchase",
            reason: "Meant to buy the monthly plan <and> wrote the same day.",
            internalNote: "Second message today.",
            requested: RefundRequest.Act(
                staff: requester,
                actor: "mei@example.com",
                at: now.addingTimeInterval(-6_600)
            ),
            consumptionRequest: hours.map { hours in
                let asked = now.addingTimeInterval(-hours * 3_600)
                return RefundRequest.ConsumptionRequest(requestedAt: asked, dueAt: asked.addingTimeInterval(12 * 3_600))
            },
            expiresAt: now.addingTimeInterval(29.9 * 86_400)
        )
    }

    /// A request processed by hand, before the store confirms it.
    static var processed: RefundRequest {
        var request = request(
            1,
            Refund(
                kind: .partial,
                status: .processed,
                requested: yuan(4_000),
                approved: yuan(4_000),
                processed: yuan(4_000)
            ),
            askedHoursAgo: nil
        )
        request.decided = RefundRequest.Act(staff: lin, actor: "lin@example.com", at: refundedAt, reason: "Agreed.")
        request.finished = RefundRequest.Act(staff: lin, actor: "lin@example.com", at: refundedAt, reason: "Paid.")
        request.payment = RefundRequest.Payment(payer: .store, reference: "RE-77", storeReference: nil)
        request.refundPreference = .grantProrated
        return request
    }

    static func refundDetails(_ request: RefundRequest = request()) -> RefundDetails {
        RefundDetails(
            request: request,
            order: orderDetails(),
            people: names,
            refundable: refundable,
            policy: policy,
            weight: ApprovalWeight(amount: request.refund.requested),
            evidence: evidence,
            history: [
                RefundDetails.Step(
                    id: uuid(3_001),
                    at: request.requested.at,
                    actor: "mei@example.com",
                    action: "refund.request",
                    reason: "mistaken_purchase: Meant to buy the monthly plan <and> wrote the same day."
                )
            ],
            answering: request.consumptionRequest == nil ? nil : answering()
        )
    }

    /// An app whose first rule applies, and a customer who consented.
    static func answering(isConsented: Bool = true, _ answer: ConsumptionAnswer? = nil) -> RefundDetails.Answering {
        RefundDetails.Answering(
            answer: answer,
            match: ConsumptionMatch(position: 1, rule: ConsumptionRule(name: "new", answer: .grantProrated)),
            sending: .deadline,
            consent: isConsented
                ? ConsumptionConsent(isGiven: true, source: .app, staff: nil, actor: "readmigo", at: refundedAt) : nil
        )
    }

    static let orderRefunds = OrderRefundDetails(
        requests: [processed, request()],
        people: names,
        refundable: refundable,
        policy: policy,
        evidence: evidence
    )

    static func refundRow(_ request: RefundRequest, customer: Int) -> ListedRefund {
        ListedRefund(
            request: request,
            dueAt: request.consumptionRequest?.dueAt ?? request.expiresAt ?? now,
            worth: request.refund.requested.minorUnits,
            orderNumber: "ORD-20241215-0001",
            store: .apple,
            environment: .production,
            productName: "Pro yearly",
            customerKey: customers[customer].key,
            customerName: customers[customer].name.map { Personal($0) },
            requesterName: "Mei Tanaka"
        )
    }
}

extension RefundIndexPage {
    static func sample(_ viewer: Viewer = Sample.viewer) -> RefundIndexPage {
        RefundIndexPage(
            list: ListPage(
                rows: [
                    Sample.refundRow(Sample.request(), customer: 0),
                    Sample.refundRow(
                        Sample.request(78, Refund(kind: .full, requested: Sample.yuan(19_800)), askedHoursAgo: nil),
                        customer: 2
                    ),
                ],
                total: .exact(2),
                rowsBefore: 0,
                hasPrevious: false,
                hasNext: false
            ),
            filter: RefundFilter(),
            viewer: viewer,
            now: Sample.now
        )
    }

    static let emptySample = RefundIndexPage(
        list: ListPage(rows: [], total: .exact(0)),
        filter: RefundFilter(),
        viewer: Sample.viewer,
        now: Sample.now
    )
}

extension RefundShowPage {
    static func sample(
        _ request: RefundRequest = Sample.request(),
        person: RefundPerson = Sample.decider,
        viewer: Viewer = Sample.viewer
    ) -> RefundShowPage {
        RefundShowPage(
            details: Sample.refundDetails(request),
            person: person,
            from: nil,
            viewer: viewer,
            now: Sample.now
        )
    }
}

extension ActionPage {
    static func sample(_ step: RefundAction, _ request: RefundRequest = Sample.request()) -> ActionPage {
        ActionPage(
            step,
            Sample.refundDetails(request),
            key: "key-1",
            person: Sample.decider,
            viewer: Sample.viewer,
            now: Sample.now
        )
    }

    static func requestSample(typed: TypedFields = [:], problems: [String: String] = [:]) -> ActionPage {
        ActionPage(
            requestFor: Sample.orderDetails(),
            Sample.orderRefunds,
            key: "key-1",
            typed: typed,
            problems: problems,
            viewer: Sample.viewer,
            now: Sample.now
        )
    }
}
