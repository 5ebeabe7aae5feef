import Desk
import HTML
import Storage
import Testing
import Words

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

        static let all = [
            Picture(name: "orders/orders", page: OrderIndexPage.sample),
            Picture(name: "orders/orders-view", page: OrderIndexPage.viewSample(in: .english)),
            Picture(name: "orders/orders-empty", page: OrderIndexPage.emptySample),
            Picture(name: "orders/orders-no-match", page: OrderIndexPage.noMatchSample),
            Picture(name: "orders/order", page: OrderShowPage.sample),
            Picture(name: "orders/order-for-analysts", page: OrderShowPage.analystSample),
            Picture(name: "notifications/notifications", page: NotificationIndexPage.sample),
            Picture(name: "notifications/notifications-none-failed", page: NotificationIndexPage.emptySample),
            Picture(name: "notifications/notification", page: NotificationShowPage.sample),
            Picture(name: "queues/queues", page: QueueIndexPage.sample),
            Picture(name: "queues/queues-for-analysts", page: QueueIndexPage.analystSample),
            Picture(name: "queues/queues-none-failed", page: QueueIndexPage.emptySample),
            Picture(name: "queues/queue", page: QueueShowPage.sample),
            Picture(name: "queues/queue-running", page: QueueShowPage.runningSample),
            Picture(name: "queues/queue-none", page: QueueShowPage.emptySample),
            Picture(name: "service_health/service-health", page: ServiceHealthPage.sample),
            Picture(name: "service_health/service-health-nothing-yet", page: ServiceHealthPage.emptySample),
            Picture(name: "customers/customers", page: CustomerIndexPage.sample),
            Picture(name: "customers/customers-for-analysts", page: CustomerIndexPage.analystSample),
            Picture(name: "customers/customers-empty", page: CustomerIndexPage.emptySample),
            Picture(name: "customers/customers-no-match", page: CustomerIndexPage.noMatchSample),
            Picture(name: "customers/customer", page: CustomerShowPage.sample),
            Picture(name: "customers/customer-for-analysts", page: CustomerShowPage.analystSample),
            Picture(name: "customers/customer-bare", page: CustomerShowPage.bareSample),
            Picture(name: "customers/note-withdrawal", page: NoteWithdrawalPage.sample),
            Picture(name: "subscriptions/subscriptions", page: SubscriptionIndexPage.sample),
            Picture(name: "subscriptions/subscriptions-no-match", page: SubscriptionIndexPage.noMatchSample),
            Picture(name: "subscriptions/subscription", page: SubscriptionShowPage.sample),
            Picture(name: "account/sign-in", page: SignInPage.sample),
            Picture(name: "account/sign-in-refused", page: SignInPage.wrongSample),
            Picture(
                name: "account/preferences",
                page: PreferencesPage(viewer: Sample.viewer, language: nil, isSaved: true)
            ),
            Picture(name: "account/sign-in-code", page: MFAPage.sample),
            Picture(name: "account/sign-in-code-refused", page: MFAPage.wrongSample),
            Picture(name: "account/welcome", page: WelcomePage.sample),
            Picture(name: "account/welcome-back", page: WelcomePage.backSample),
            Picture(name: "account/keys", page: KeysPage.sample),
            Picture(name: "account/keys-none", page: KeysPage.emptySample),
            Picture(name: "account/welcome-over", page: WelcomePage.overSample),
            Picture(name: "ui/help", page: HelpPage(strings: Strings(.english))),
            Picture(name: "account/account", page: AccountPage.sample),
            Picture(name: "account/account-refused", page: AccountPage.refusedSample),
            Picture(name: "account/two-factor", page: TwoFactorPage.sample),
            Picture(name: "account/recovery-codes", page: RecoveryCodesPage.sample),
            Picture(name: "audit/audit", page: AuditIndexPage.sample),
            Picture(name: "audit/audit-entry", page: AuditShowPage.sample),
            Picture(name: "staff/staff", page: StaffIndexPage.sample),
            Picture(name: "staff/staff-member", page: StaffShowPage.sample),
            Picture(name: "staff/staff-link", page: StaffLinkPage.sample),
            Picture(name: "ui/charts", page: ChartSpecimen.full(in: .english)),
            Picture(name: "ui/charts-bare", page: ChartSpecimen.bare),
            Picture(name: "ui/error", page: ErrorPage.sample),
            Picture(name: "ui/error-without-frame", page: BareErrorPage.sample),
        ]
    }
}
