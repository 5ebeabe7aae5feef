import Billing
import Foundation
import HTML
import Storage
import Testing

@testable import Desk
@testable import HTTP
@testable import Words

@Suite("What comes next of a refund case is read from the state that decides it") struct RefundProspectTests {
    /// A case that Apple opened: 9 hours and 50 minutes ago, unless said otherwise.
    private static func details(
        _ status: Refund.Status = .pending,
        askedHoursAgo hours: Double? = 9.83,
        isConsented: Bool = false,
        preference: RefundPreference? = nil,
        answer: ConsumptionAnswer? = nil
    ) -> RefundDetails {
        let amount = status == .approved ? Sample.yuan(8_800) : nil
        var request = Sample.request(
            77,
            Refund(kind: .full, status: status, requested: Sample.yuan(8_800), approved: amount),
            askedHoursAgo: hours
        )
        request.isOpenedByStore = hours != nil
        request.refundPreference = preference
        if status != .pending { request.decided = RefundRequest.Act(staff: Sample.lin, actor: "lin", at: Sample.now) }
        var details = Sample.refundDetails(request)
        details.answering = hours == nil ? nil : Sample.answering(isConsented: isConsented, answer)
        return details
    }

    private static func page(_ details: RefundDetails, _ viewer: Viewer = Sample.viewer) -> RefundShowPage {
        RefundShowPage(details: details, person: Sample.decider, from: nil, viewer: viewer, now: Sample.now)
    }

    private static func question(_ step: RefundAction, _ details: RefundDetails) -> ActionPage {
        ActionPage(step, details, key: "key", person: Sample.decider, viewer: Sample.viewer, now: Sample.now)
    }

    private static func answer(
        _ state: ConsumptionAnswer.State,
        _ preference: RefundPreference? = .grantFull
    ) -> ConsumptionAnswer {
        ConsumptionAnswer(
            state: state,
            preference: preference,
            rule: nil,
            providesSamples: false,
            decidedAt: Sample.now
        )
    }

    @Test("a case without recorded consent says before the button that nothing will be sent, and why")
    func withoutConsent() throws {
        for step in [RefundAction.approval, .rejection] {
            let page = Self.question(step, Self.details())
            #expect(
                page.notice
                    == "Nothing will be sent to Apple: the customer’s consent is not recorded. "
                    + "It can be answered until 21 Nov 2026 12:50 UTC+8."
            )
            #expect(page.noticeLink?.href.contains("/consent?from=") == true)
            let html = page.html()
            let (notice, button) = (
                html.range(of: "Nothing will be sent"), html.range(of: "<button class=\"button primary\"")
            )
            #expect(try #require(notice).lowerBound < #require(button).lowerBound)
            #expect(Self.question(step, Self.details(isConsented: true)).notice == nil)
        }
    }

    @Test("a case that was approved without consent does not say that Apple decides and no action is needed")
    func approvedWithoutConsent() {
        let withheld = Self.answer(.withheld(.noConsent))
        for answer in [nil, withheld] {
            let page = Self.page(Self.details(.approved, preference: .grantFull, answer: answer))
            #expect(
                page.notes == [
                    "Nothing is sent to Apple: the customer’s consent is not recorded. "
                        + "It can be answered until 21 Nov 2026 12:50 UTC+8."
                ]
            )
            #expect(page.consentLink != nil)
            #expect(!page.html().contains("no action needed"))
            #expect(page.answering.contains { $0.value == "nothing: the customer’s consent is not recorded" })
        }
        let consented = Self.page(Self.details(.approved, isConsented: true, preference: .grantFull, answer: withheld))
        #expect(consented.notes == ["Our answer is being sent to Apple, which then decides. No action needed."])
        #expect(consented.consentLink == nil)
    }

    @Test("each state of an answer has its own sentence, whatever was decided")
    func sentences() {
        func notes(_ details: RefundDetails) -> String { Self.page(details).notes.joined(separator: " | ") }
        for status in [Refund.Status.approved, .rejected] {
            let preference: RefundPreference = status == .approved ? .grantFull : .decline
            func details(_ state: ConsumptionAnswer.State, hours: Double = 9.83) -> RefundDetails {
                Self.details(
                    status,
                    askedHoursAgo: hours,
                    isConsented: true,
                    preference: preference,
                    answer: Self.answer(state, preference)
                )
            }
            #expect(notes(details(.sending)).hasPrefix("Our answer is being sent to Apple"))
            #expect(notes(details(.sent(at: Sample.now))).hasPrefix("Apple has had our answer since"))
            #expect(notes(details(.sent(at: Sample.now))).contains("Mark it as paid") == (status == .approved))
            #expect(
                notes(details(.refused(code: 1, message: "No such transaction.")))
                    == "Apple did not take our answer and decides without it: No such transaction."
            )
            #expect(
                notes(details(.withheld(.noKey)))
                    == "Nothing is sent to Apple: the app has no key for Apple. "
                    + "It can be answered until 21 Nov 2026 12:50 UTC+8."
            )
            #expect(
                notes(details(.withheld(.tooLate), hours: 13))
                    == "Nothing was sent to Apple: the deadline of Apple has passed. It decides without our answer."
            )
        }
        let lapsed = Self.details(.approved, askedHoursAgo: 13, preference: .grantFull)
        #expect(
            notes(lapsed)
                == "Nothing was sent to Apple: the customer’s consent is not recorded. It decides without our answer."
        )
        #expect(Self.page(lapsed).consentLink == nil)
        #expect(
            notes(Self.details(.approved, askedHoursAgo: nil, preference: .grantFull)).hasPrefix(
                "Apple has not asked about this refund. The customer has to ask Apple for it"
            )
        )
        #expect(notes(Self.details()).contains("Nothing is sent to Apple: the customer’s consent is not recorded."))
    }

    @Test("an approved refund of 35.66 at Apple, which pays back 106.17: title and button name what is paid back")
    func paidBack() {
        var details = Self.details(isConsented: true)
        details.request.refund = Refund(kind: .prorated, requested: Sample.yuan(3_566))
        details.refundable.amount = Sample.yuan(10_617)
        details.refundable.refunded = Sample.yuan(0)
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
        let full = page(.grantFull)
        #expect(full.title == "Approve refund of about 106.17 CNY for ORD-20241215-0001?")
        #expect(full.submit == "Approve refund of about 106.17 CNY")
        #expect(full.hidden.contains { $0.name == "answer" && $0.value == "GRANT_FULL" })
        #expect(full.changes.contains { $0.after == "about 106.17 CNY of 106.17 CNY, if Apple agrees" })
        #expect(full.choices?.tabs.map(\.isCurrent) == [true, false])
        let share = page(.grantProrated)
        #expect(share.title == "Approve refund of about 102.97 CNY for ORD-20241215-0001?")
        #expect(share.choices?.tabs.first?.href == "/dashboard/refunds/RF-000077/approval?answer=GRANT_FULL")
        details.refundable.periodEndsAt = nil
        #expect(
            page(.grantProrated).title == "Approve a refund of ORD-20241215-0001 by Apple, which works out the amount?"
        )
        // A refund that we pay is of the amount that was asked for.
        details.order.order.store = .wechat
        details.request.isOpenedByStore = false
        #expect(page(.grantFull).title == "Approve refund of 35.66 CNY for ORD-20241215-0001?")
        #expect(page(.grantFull).choices == nil)
    }
}
