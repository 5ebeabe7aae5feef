import Billing
import Foundation
import HTML
import Storage
import Testing

@testable import API
@testable import Desk
@testable import HTTP
@testable import Web
@testable import Words

@Suite("The pages about refunds") struct RefundPagesTests {
    @Test("each page looks as it was recorded")
    func pictures() throws {
        try expectSnapshot(RefundIndexPage.sample(), named: "refunds/refunds")
        try expectSnapshot(RefundIndexPage.sample(Sample.analyst), named: "refunds/refunds-for-analysts")
        try expectSnapshot(RefundIndexPage.emptySample, named: "refunds/refunds-none-waiting")
        try expectSnapshot(RefundShowPage.sample(), named: "refunds/refund")
        try expectSnapshot(RefundShowPage.sample(Sample.processed), named: "refunds/refund-processed")
        try expectSnapshot(ActionPage.sample(.approval), named: "refunds/refund-approval")
        try expectSnapshot(ActionPage.requestSample(), named: "refunds/refund-request")
        try expectSnapshot(
            OrderShowPage(
                details: Sample.orderDetails(),
                refunds: Sample.orderRefunds,
                person: Sample.decider,
                from: nil,
                viewer: Sample.viewer,
                now: Sample.now
            ),
            named: "orders/order-with-refunds"
        )
        try expectSnapshot(
            RefundStalePage(.approval, Sample.refundDetails(Sample.processed), viewer: Sample.viewer, now: Sample.now),
            named: "refunds/refund-stale"
        )
    }

    @Test("the question names what will be paid back and the order, and the button answers it")
    func question() {
        let page = ActionPage.sample(.approval)
        #expect(page.title == "Approve refund of about 88.00 CNY for ORD-20241215-0001?")
        #expect(page.submit == "Approve refund of about 88.00 CNY")
        #expect(page.keep.text == "Keep request open")
        #expect(page.hidden.map(\.name) == ["key", "version", "answer", "csrf"])
        #expect(!page.isDangerous)
        #expect(page.changes.map(\.before).contains("40.00 CNY"))
        #expect(page.changes.map(\.after).contains("about 128.00 CNY of 128.00 CNY, if Apple agrees"))
        #expect(page.subtitle?.hasSuffix("Respond to Apple by 21 Nov 2026 12:50 UTC+8") == true)
    }

    @Test("the confirmation is asked for by what the store pays back after each answer, not by what was asked for")
    func confirmationByPayback() {
        var details = Sample.refundDetails(
            Sample.request(78, Refund(kind: .partial, requested: Sample.yuan(500)))
        )
        details.storeWeights = [
            .grantFull: ApprovalWeight(amount: Sample.yuan(12_800)),
            .grantProrated: ApprovalWeight(amount: Sample.yuan(300)),
        ]
        func page(_ answer: RefundPreference) -> ActionPage {
            ActionPage(
                .approval,
                details,
                key: "key",
                answer: answer,
                person: Sample.decider,
                viewer: Sample.viewer,
                now: Sample.now
            )
        }
        #expect(page(.grantFull).fields.contains { $0.name == "confirmation" })
        #expect(!page(.grantProrated).fields.contains { $0.name == "confirmation" })
        var policy = details.policy
        policy.selfApprovalLimit = Sample.yuan(2_000)
        details.policy = policy
        details.request.requested.staff = Sample.lin
        #expect(Sample.decider.bar(from: details, telling: .grantFull) == .amount)
        #expect(Sample.decider.bar(from: details, telling: .grantProrated) == nil)
    }

    @Test("only what cannot be undone warns")
    func danger() {
        var approved = Sample.request(
            5,
            Refund(kind: .full, status: .approved, requested: Sample.yuan(900), approved: Sample.yuan(900))
        )
        approved.decided = RefundRequest.Act(staff: Sample.lin, actor: "lin", at: Sample.now)
        #expect(ActionPage.sample(.payment, approved).isDangerous)
        for step in [RefundAction.rejection, .cancellation] { #expect(!ActionPage.sample(step).isDangerous) }
    }

    @Test("the confirmation is asked for from 100.00 on")
    func confirmation() {
        func asks(_ fen: Int64) -> Bool {
            ActionPage.sample(.approval, Sample.request(5, Refund(kind: .full, requested: Sample.yuan(fen)))).fields
                .contains { $0.name == "confirmation" }
        }
        #expect(!asks(9_999))
        #expect(asks(10_000))
    }

    @Test("the clock of the store's question, then of the request itself")
    func deadline() {
        let text = RefundText(Sample.viewer, now: Sample.now)
        #expect(text.deadline(of: Sample.request(), at: .apple) == "2 h 10 min left to respond to Apple")
        #expect(text.isUrgent(Sample.request()))
        #expect(
            text.deadline(of: Sample.request(askedHoursAgo: 13), at: .apple)
                == "The deadline to respond to Apple has passed"
        )
        #expect(text.deadline(of: Sample.request(askedHoursAgo: nil), at: .apple) == "expires in 29 days")
        #expect(text.deadline(of: Sample.processed, at: .apple) == nil)
    }

    @Test("who may do what: buttons for those who may, a sentence for the others")
    func buttons() {
        func texts(_ person: RefundPerson, _ request: RefundRequest = Sample.request()) -> [String] {
            RefundShowPage.sample(request, person: person).actions.map(\.text.description)
        }
        let asker = RefundPerson(staff: Sample.mei, role: .support)
        #expect(texts(Sample.decider) == ["Approve…", "Reject…", "Cancel request…"])
        #expect(texts(asker) == ["Cancel request…"])
        #expect(texts(RefundPerson(staff: Sample.lin, role: .support)) == [])
        #expect(texts(RefundPerson(staff: Sample.lin, role: .analyst)) == [])
        #expect(texts(Sample.decider, Sample.request(by: Sample.lin)) == ["Reject…", "Cancel request…"])
        #expect(
            RefundShowPage.sample(Sample.request(by: Sample.lin)).notes == [
                "You requested this refund, so another admin has to approve it."
            ]
        )
        #expect(texts(Sample.decider, Sample.processed) == [])
    }

    @Test(
        "a refund that its store pays says each step in the store's words, and offers only what pays nothing twice",
        arguments: RefundPayout.State.allCases
    )
    func payouts(state: RefundPayout.State) {
        var approved = Sample.request(
            5,
            Refund(kind: .full, status: .approved, requested: Sample.yuan(900), approved: Sample.yuan(900))
        )
        approved.decided = RefundRequest.Act(staff: Sample.lin, actor: "lin", at: Sample.now)
        var details = Sample.refundDetails(approved)
        var payout = StoredPayout(
            refund: approved.id,
            app: approved.app,
            store: .wechat,
            number: "8ZK3_RF000005",
            orderNumber: "8ZK3",
            transactionID: "4200000000",
            amount: Sample.yuan(900),
            total: Sample.yuan(900),
            revokes: true,
            payout: RefundPayout(state),
            createdAt: Sample.now
        )
        payout.words = "<RULE_LIMIT>"
        details.payout = payout
        details.payoutSteps = [
            StoredPayout.Step(at: Sample.now, state: .waiting, words: nil),
            StoredPayout.Step(at: Sample.now, state: state, words: "<RULE_LIMIT>"),
        ]
        details.order.order.store = .wechat
        let page = RefundShowPage(
            details: details,
            person: Sample.decider,
            from: nil,
            viewer: Sample.viewer,
            now: Sample.now
        )
        let offered = Set(page.actions.map(\.text.description))
        #expect(offered.contains("Mark as paid…") == state.allowsPayingByHand)
        #expect(offered.contains("Cancel request…") == state.allowsCancelling)
        #expect(page.actions.contains(where: \.isPrimary) == state.needsPeople)
        #expect(page.payoutSteps.map(\.words) == [nil, "<RULE_LIMIT>"])
        #expect(page.notes.count == 1 && page.notes[0].contains("WeChat"))
        let html = page.html()
        #expect(html.contains("8ZK3_RF000005") && html.contains("&lt;RULE_LIMIT"))
    }

    @Test("the approval of a refund asks whether access ends with it only where the store is told that")
    func revoking() {
        func fields(_ store: Store, isPaidByStore: Bool) -> [String] {
            var details = Sample.refundDetails()
            details.order.order.store = store
            details.isPaidByStore = isPaidByStore
            return ActionPage(
                .approval,
                details,
                key: "key",
                person: Sample.decider,
                viewer: Sample.viewer,
                now: Sample.now
            ).fields.map(\.name)
        }
        #expect(fields(.google, isPaidByStore: true).contains("access"))
        #expect(!fields(.google, isPaidByStore: false).contains("access"))
        #expect(!fields(.wechat, isPaidByStore: true).contains("access"))
        #expect(!fields(.apple, isPaidByStore: false).contains("access"))
    }

    @Test("nothing that somebody wrote, no name and no address is on an analyst's page")
    func analyst() {
        let pages: [any HTMLPage] = [
            RefundShowPage.sample(person: RefundPerson(staff: Sample.lin, role: .analyst), viewer: Sample.analyst),
            RefundIndexPage.sample(Sample.analyst),
        ]
        for page in pages {
            let html = page.html()
            for secret in ["monthly plan", "Second message", "lina@example.com"] {
                #expect(!html.contains(secret), "\(secret)")
            }
        }
    }

    @Test("every text of every page exists in every language", arguments: Language.allCases)
    func languages(_ language: Language) {
        var viewer = Sample.viewer
        viewer.strings = Strings(language)
        for request in [Sample.request(), Sample.processed] {
            #expect(!RefundShowPage.sample(request, viewer: viewer).html().isEmpty)
        }
        #expect(RefundIndexPage.sample(viewer).html().contains(String(describing: viewer.strings.refundsTitle)))
    }
}
