import HTML
import Storage
import Testing
import Web

@Suite struct SnapshotTests {
    @Test("every page looks as it was recorded", arguments: Picture.all)
    func page(_ picture: Picture) throws {
        let page: any HTMLPage = picture.page
        try expectSnapshot(page, named: picture.name)
    }

    struct Picture: Sendable, CustomTestStringConvertible {
        let name: String
        let page: any HTMLPage & Sendable

        var testDescription: String { name }

        static let all = english + [Language.chinese, .turkish].flatMap(pages)

        /// Each page once.
        private static func pages(in language: Language) -> [Picture] {
            let pages: [(String, any HTMLPage & Sendable)] = [
                ("orders", OrderIndexPage.sample(in: language)),
                ("orders-no-match", OrderIndexPage.noMatchSample(in: language)),
                ("orders-view", OrderIndexPage.viewSample(in: language)),
                ("order", OrderShowPage.sample(in: language)),
                ("notifications", NotificationIndexPage.sample(in: language)),
                ("notification", NotificationShowPage.sample(in: language)),
                ("sign-in-refused", SignInPage.wrongSample(in: language)),
                (
                    "preferences",
                    PreferencesPage(viewer: Sample.viewer(in: language), language: language, isSaved: false)
                ),
                ("charts", ChartSpecimen.full(in: language)),
                ("service-health", ServiceHealthPage.sample(in: language)),
                ("error", ErrorPage.sample(in: language)),
                ("error-without-frame", BareErrorPage.sample(in: language)),
            ]
            return pages.map { Picture(name: "\($0).\(language.rawValue)", page: $1) }
        }

        private static let english = [
            Picture(name: "orders", page: OrderIndexPage.sample),
            Picture(name: "orders-view", page: OrderIndexPage.viewSample(in: .english)),
            Picture(name: "orders-empty", page: OrderIndexPage.emptySample),
            Picture(name: "orders-no-match", page: OrderIndexPage.noMatchSample),
            Picture(name: "order", page: OrderShowPage.sample),
            Picture(name: "order-for-analysts", page: OrderShowPage.analystSample),
            Picture(name: "notifications", page: NotificationIndexPage.sample),
            Picture(name: "notifications-none-failed", page: NotificationIndexPage.emptySample),
            Picture(name: "notification", page: NotificationShowPage.sample),
            Picture(name: "service-health", page: ServiceHealthPage.sample),
            Picture(name: "service-health-nothing-yet", page: ServiceHealthPage.emptySample),
            Picture(name: "customers", page: CustomerIndexPage.sample),
            Picture(name: "customers-for-analysts", page: CustomerIndexPage.analystSample),
            Picture(name: "customers-empty", page: CustomerIndexPage.emptySample),
            Picture(name: "customers-no-match", page: CustomerIndexPage.noMatchSample),
            Picture(name: "customer", page: CustomerShowPage.sample),
            Picture(name: "customer-for-analysts", page: CustomerShowPage.analystSample),
            Picture(name: "customer-bare", page: CustomerShowPage.bareSample),
            Picture(name: "note-withdrawal", page: NoteWithdrawalPage.sample),
            Picture(name: "subscriptions", page: SubscriptionIndexPage.sample),
            Picture(name: "subscriptions-no-match", page: SubscriptionIndexPage.noMatchSample),
            Picture(name: "subscription", page: SubscriptionShowPage.sample),
            Picture(name: "sign-in", page: SignInPage.sample),
            Picture(name: "sign-in-refused", page: SignInPage.wrongSample),
            Picture(name: "preferences", page: PreferencesPage(viewer: Sample.viewer, language: nil, isSaved: true)),
            Picture(name: "sign-in-code", page: SecondStepPage.sample),
            Picture(name: "sign-in-code-refused", page: SecondStepPage.wrongSample),
            Picture(name: "welcome", page: WelcomePage.sample),
            Picture(name: "welcome-back", page: WelcomePage.backSample),
            Picture(name: "keys", page: KeysPage.sample),
            Picture(name: "keys-none", page: KeysPage.emptySample),
            Picture(name: "welcome-over", page: WelcomePage.overSample),
            Picture(name: "help", page: HelpPage(words: Words(.english))),
            Picture(name: "account", page: AccountPage.sample),
            Picture(name: "account-refused", page: AccountPage.refusedSample),
            Picture(name: "two-factor", page: TwoFactorPage.sample),
            Picture(name: "recovery-codes", page: RecoveryCodesPage.sample),
            Picture(name: "audit", page: AuditIndexPage.sample),
            Picture(name: "audit-entry", page: AuditShowPage.sample),
            Picture(name: "staff", page: StaffIndexPage.sample),
            Picture(name: "staff-member", page: StaffShowPage.sample),
            Picture(name: "staff-link", page: StaffLinkPage.sample),
            Picture(name: "charts", page: ChartSpecimen.full(in: .english)),
            Picture(name: "charts-bare", page: ChartSpecimen.bare),
            Picture(name: "error", page: ErrorPage.sample),
            Picture(name: "error-without-frame", page: BareErrorPage.sample),
        ]
    }
}
