import Foundation
import HTTP
import Operations
import Storage
import Words

extension ActionPage {
    /// The page that asks before Apple is told whose a purchase is: `/dashboard/subscriptions/{id}/account-token`.
    init(
        settingAccountOf details: SubscriptionDetails,
        once: String,
        typed: TypedFields,
        error: OperationsError?,
        from: String?,
        viewer: Viewer,
        now: Date
    ) {
        let (strings, row) = (viewer.strings, details.row)
        let own = DashboardPath.subscription(row.id)
        let product = row.productName ?? details.storeProductID ?? strings.subscriptionsUnknown.description
        let problems = error.map { FormField.problems(in: $0, strings) } ?? [:]
        let token = FormField(
            "appAccountToken",
            strings.purchasesToken.description,
            value: typed["appAccountToken"],
            hint: strings.purchasesTokenHint.description,
            problem: problems["appAccountToken"].map { problem in
                typed["appAccountToken", default: ""].isEmpty ? problem : strings.purchasesTokenProblem.description
            }
        )
        self.init(
            frame: DashboardFrame(
                viewer,
                section: .subscriptions,
                path: DashboardPath.accountToken(of: row.id),
                now: now
            ),
            title: strings.purchasesTokenTitle.description,
            subtitle: "\(product) · \(row.originalTransactionID)",
            back: Link(text: product, href: own),
            trouble: Self.trouble(error, strings),
            facts: Self.consequences(
                undo: strings.purchasesTokenUndo,
                notified: strings.purchasesTokenTold,
                strings
            ),
            factsTitle: strings.accessGoodToKnow.description,
            paragraphs: [strings.purchasesTokenText.description],
            fields: [token]
                + FormField.reason(category: typed["category"], text: typed["reason"], problems: problems, strings),
            hidden: [.newKey(once)],
            method: .post,
            action: DashboardPath.accountToken(of: row.id),
            submit: strings.purchasesTokenSubmit.description,
            keep: Link(text: strings.accessKeep.description, href: own),
            from: from
        )
    }

    /// Returns Apple's objection.
    private static func trouble(_ error: OperationsError?, _ strings: Strings) -> Trouble? {
        guard let error, error.code != .invalid else { return nil }
        return Trouble(headline: strings.accessNothingDone.description, text: error.message)
    }
}
