import Billing
import Foundation
import HTTP
import Operations
import Storage
import Words

extension ActionPage {
    /// The page that asks before an external purchase is noted as reported: `/dashboard/external-purchases/{id}/reports/new`.
    ///
    /// - Parameters:
    ///   - typed: the form's fields when it was refused.
    ///   - error: why it was refused.
    init(
        reporting token: ExternalPurchaseToken,
        key: String,
        typed: TypedFields = [:],
        error: (any Error)? = nil,
        from: String? = nil,
        viewer: Viewer,
        now: Date
    ) {
        let strings = viewer.strings
        let own = from ?? DashboardPath.externalPurchases
        let before = token.reportedAt.map { DateText($0, in: viewer.zone, strings) }
        self.init(
            frame: DashboardFrame(
                viewer,
                section: .externalPurchases,
                path: DashboardPath.newReport(of: token.id),
                now: now
            ),
            title: strings.externalPurchasesReportQuestion.description,
            subtitle: token.externalPurchaseID,
            back: Link(text: strings.externalPurchasesTitle.description, href: own),
            trouble: (error as? OperationsError).flatMap { Self.reportTrouble($0, strings) },
            changes: [
                Change(
                    what: strings.externalPurchasesReported.description,
                    before: before.map { "\($0.day) \($0.clock)" } ?? strings.partsNone.description,
                    after: strings.externalPurchasesNow.description
                )
            ],
            facts: Self.consequences(
                undo: strings.externalPurchasesReportUndo,
                notified: strings.accessFactToldNobody,
                strings
            ),
            factsTitle: strings.accessGoodToKnow.description,
            fields: FormField.reason(
                category: typed["category"],
                text: typed["reason"],
                problems: error.map { FormField.problems(in: $0, strings) } ?? [:],
                strings
            ),
            hidden: [.newKey(key), Hidden(name: "told", value: String(token.toldAt.milliseconds))],
            method: .post,
            action: DashboardPath.reports(of: token.id),
            submit: strings.externalPurchasesReport.description,
            keep: Link(text: strings.accessKeep.description, href: own),
            from: from
        )
    }

    private static func reportTrouble(_ error: OperationsError, _ strings: Strings) -> Trouble? {
        if error.code == .stale { return Trouble(headline: strings.externalPurchasesStale.description) }
        guard error.code == .conflict else { return nil }
        return Trouble(headline: strings.externalPurchasesReportedAlready.description)
    }
}
