import Foundation
import Storage
import Testing

@testable import Desk
@testable import HTTP

@Suite("What staff did, on a timeline") struct TimelineActionTextTests {
    private static func text(
        _ action: String,
        about object: String = "",
        before: String? = nil,
        after: String? = nil,
        _ viewer: Viewer = Sample.viewer
    ) -> TimelineActionText {
        let done = Timeline.Action(
            actor: "mei@example.com",
            role: .support,
            action: action,
            objectID: object,
            before: before.map { Personal($0) },
            after: after.map { Personal($0) }
        )
        let moment = Timeline.Moment(id: Sample.uuid(1), at: Sample.now, what: .staff(done))
        return TimelineActionText(moment, done, viewer)
    }

    private static let granted =
        #"{"plan": "PRO", "until": "2026-12-31T02:30:00Z", "source": "grant", "next": null, "#
        + #""grant 01900000-0000-7000-8000-000000000019": "PRO 2026-11-21T02:30:00Z to 2026-12-31T02:30:00Z"}"#
    private static let nothing =
        #"{"plan": null, "until": null, "source": null, "next": null, "grant 01900000-0000-7000-8000-000000000019": null}"#

    @Test("a grant is told with its plan and end, in the app's zone and the reader's language")
    func grant() {
        let english = Self.text("access.grant", before: Self.nothing, after: Self.granted)
        #expect(english.title == "Granted PRO until 31 Dec 2026 10:30 UTC+8")
        let changes = english.changes.map { "\($0.field): \($0.before) > \($0.after)" }
        #expect(changes.contains("Until: none > 31 Dec 2026 10:30 UTC+8"))
        #expect(changes.contains("Plan: none > PRO") && changes.contains("Source: none > a grant"))
        #expect(changes.contains("Grant: none > PRO, 21 Nov 2026 10:30 UTC+8 to 31 Dec 2026 10:30 UTC+8"))
        let turkish = Self.text("access.grant", before: Self.nothing, after: Self.granted, Sample.viewer(in: .turkish))
        #expect(turkish.title == "31 Ara 2026 10:30 UTC+8 tarihine kadar PRO verdi")
        #expect(turkish.changes.contains { $0.field == "Bitiş" && $0.before == "yok" })
    }

    @Test("a grant may have no end")
    func noEnd() {
        let after = #"{"grant 01900000-0000-7000-8000-000000000019": "PRO 2026-11-21T02:30:00Z to no end"}"#
        #expect(Self.text("access.grant", after: after).title == "Granted PRO with no expiry")
    }

    @Test("a refund is told with its number and amount")
    func refund() {
        let asked = #"{"status": "pending", "kind": "full", "currency": "CNY", "requestedAmount": "1280.00"}"#
        let paid =
            #"{"status": "processed", "kind": "full", "currency": "CNY", "requestedAmount": "1280.00", "#
            + #""approvedAmount": "640.00", "processedAmount": "640.00", "payer": "store"}"#
        let requested = Self.text("refund.request", about: "RF-000077", after: asked)
        #expect(requested.title == "Requested refund RF-000077, 1,280.00 CNY")
        #expect(!requested.changes.contains { $0.field == "currency" })
        let processed = Self.text("refund.process", about: "RF-000077", before: asked, after: paid)
        #expect(processed.title == "Marked refund RF-000077, 640.00 CNY as paid")
        #expect(processed.changes.contains { $0.before == "Pending review" && $0.after == "Processed" })
    }

    @Test("who may not read before and after is told without them")
    func withoutPersonalData() {
        #expect(Self.text("access.grant", after: Self.granted, Sample.analyst).title == "Granted access")
        let refund = Self.text("refund.request", about: "RF-000077", after: #"{"currency": "CNY"}"#, Sample.analyst)
        #expect(refund.title == "Requested refund RF-000077" && refund.changes.isEmpty)
    }

    @Test("what has no word is left out")
    func unknown() {
        let text = Self.text("access.undo", before: #"{"some_key": "1"}"#, after: #"{"some_key": "2"}"#)
        #expect(text.title == "Undid an action" && text.changes.isEmpty)
    }
}
