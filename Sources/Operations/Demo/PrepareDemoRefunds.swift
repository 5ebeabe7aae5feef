package import Billing
import Foundation
import Storage

extension BackOffice {
    /// Makes refund requests in every state for the demo, once, as its staff would, of the newest orders of each store. Those of a store
    /// that pays refunds are paid by it, except for one of the first such store, which it cannot give back to the customer.
    ///
    /// - Parameter spoil: told of the order whose refund the store is not to get through, by our number, before it is approved.
    package func prepareDemoRefunds(
        app slug: String,
        spoil: @Sendable (Store, _ number: String) async -> Void = { _, _ in }
    ) async throws {
        let (app, people, isDone) = try await database.readPrimary { reader in
            let app = try await reader.apps.all().first { $0.slug == slug }?.id
            let isDone = try await reader.audit.contains(AuditAction.prepareDemoRefunds.rawValue, on: "app", slug)
            return (app, try await reader.staff.all(), isDone)
        }
        guard !isDone, let app, let desk = DemoRefundWorkflow(self, app, people) else { return }
        for (store, stories) in DemoRefundStory.byStore {
            let orders = try await database.readPrimary { reader in
                // The cheapest period of each, less a little.
                let least: Int64 = store == .google ? 200 : 1_000
                return try await reader.newestCharges(of: app, at: store, from: least, limit: stories.count)
            }
            for (order, story) in zip(orders, stories) {
                if case .abnormal = story.end, let number = order.checkout { await spoil(store, number) }
                try await desk.play(story, with: order)
            }
        }
        try await database.write { transaction in
            _ = try await transaction.audit.append(Caller.commandLine.entry(.prepareDemoRefunds, on: "app", slug))
        }
    }
}

/// The course of one refund of the demo.
private struct DemoRefundStory {
    var kind: Refund.Kind
    var reason: Reason
    var note: String?
    var isAskedByAdmin = false
    var end: End

    enum End {
        case waits
        case approved
        case rejected
        case cancelled
        case paid(RefundPayer)
        /// Approved, and the store cannot give it back.
        case abnormal
    }

    static let byStore: [(store: Store, stories: [DemoRefundStory])] = [
        (.apple, all), (.wechat, atWeChat), (.alipay, atAlipay), (.google, atGoogle),
    ]

    private static let atWeChat = [
        DemoRefundStory(
            kind: .full,
            reason: Reason(.mistakenPurchase, "Paid twice with two phones, and wrote at once."),
            end: .approved
        ),
        DemoRefundStory(
            kind: .full,
            reason: Reason(.customerRequest, "Closed the WeChat account the day after."),
            end: .abnormal
        ),
        DemoRefundStory(
            kind: .partial,
            reason: Reason(.goodwill, "The lesson of the week was missing for two days."),
            end: .approved
        ),
        DemoRefundStory(
            kind: .prorated,
            reason: Reason(.customerRequest, "Moves abroad and will not need it there."),
            end: .waits
        ),
    ]

    private static let atAlipay = [
        DemoRefundStory(
            kind: .partial,
            reason: Reason(.goodwill, "A third back for the days without voice chat."),
            end: .approved
        ),
        DemoRefundStory(
            kind: .full,
            reason: Reason(.mistakenPurchase, "Meant to buy for a friend, who has an account of her own."),
            end: .approved
        ),
        DemoRefundStory(
            kind: .full,
            reason: Reason(.customerRequest, "Wants the money back after five weeks of daily use."),
            end: .rejected
        ),
    ]

    private static let atGoogle = [
        DemoRefundStory(
            kind: .full,
            reason: Reason(.serviceFailure, "The app does not start on this tablet."),
            end: .waits
        ),
        DemoRefundStory(
            kind: .full,
            reason: Reason(.mistakenPurchase, "Bought it on the wrong account."),
            end: .approved
        ),
    ]

    private static let all = [
        DemoRefundStory(
            kind: .prorated,
            reason: Reason(.mistakenPurchase, "Meant to buy the shorter plan and wrote the same day."),
            note: "Second message today; polite, knows the difference now.",
            end: .waits
        ),
        DemoRefundStory(
            kind: .full,
            reason: Reason(.serviceFailure, "Could not open a single book since the last update."),
            end: .waits
        ),
        DemoRefundStory(
            kind: .partial,
            reason: Reason(.goodwill, "Offline reading was broken for a third of the month."),
            isAskedByAdmin: true,
            end: .waits
        ),
        DemoRefundStory(
            kind: .full,
            reason: Reason(.customerRequest, "Has two accounts and was paying on both."),
            end: .approved
        ),
        DemoRefundStory(
            kind: .partial,
            reason: Reason(.goodwill, "Promised by the community team after the outage."),
            end: .paid(.elsewhere)
        ),
        DemoRefundStory(
            kind: .full,
            reason: Reason(.mistakenPurchase, "Bought by a child; the parent wrote within the hour."),
            end: .paid(.store)
        ),
        DemoRefundStory(
            kind: .full,
            reason: Reason(.customerRequest, "Third request this year, and the whole period was used."),
            end: .rejected
        ),
        DemoRefundStory(
            kind: .prorated,
            reason: Reason(.customerRequest, "Wanted another plan, then found how to switch in the app."),
            end: .cancelled
        ),
        DemoRefundStory(
            kind: .prorated,
            reason: Reason(.serviceFailure, "The voice chat never worked on this device."),
            end: .approved
        ),
        DemoRefundStory(
            kind: .partial,
            reason: Reason(.customerRequest, "Cancelled in the app but not at the store, and was charged again."),
            end: .waits
        ),
    ]
}

/// The people of the demo at work.
private struct DemoRefundWorkflow {
    let backOffice: BackOffice
    let app: App.ID
    let admin: Caller
    let support: Caller

    init?(_ backOffice: BackOffice, _ app: App.ID, _ people: [Staff]) {
        func caller(_ role: StaffRole) -> Caller? {
            guard let email = DemoAccount.all.first(where: { $0.role == role })?.email,
                let staff = people.first(where: { $0.email == email })
            else { return nil }
            return Caller(.staff(staff.id), actor: staff.email, role: staff.role)
        }
        guard let admin = caller(.admin), let support = caller(.support) else { return nil }
        (self.backOffice, self.app, self.admin, self.support) = (backOffice, app, admin, support)
    }

    /// An order that does not fit the story is left alone.
    func play(_ story: DemoRefundStory, with order: RecentCharge) async throws {
        let third = Money(minorUnits: order.amount.minorUnits / 3, currency: order.amount.currency)
        let asker = story.isAskedByAdmin ? admin : support
        let asked = try? await backOffice.requestRefund(
            of: order.number,
            app: app,
            RefundCommand(kind: story.kind, amount: third, note: story.note),
            reason: story.reason,
            caller: asker
        )
        guard let number = asked?.result else { return }
        switch story.end {
        case .waits: break
        case .approved, .abnormal: try await approve(number, of: order)
        case .rejected:
            _ = try await backOffice.rejectRefund(
                number,
                app: app,
                reason: Reason(.other, "The period is over and was used every day."),
                caller: admin
            )
        case .cancelled:
            _ = try await backOffice.cancelRefund(
                number,
                app: app,
                reason: Reason(.correction, "The customer has sorted it out themselves."),
                caller: asker
            )
        case .paid(let payer):
            try await approve(number, of: order)
            _ = try await backOffice.processRefund(
                number,
                app: app,
                RefundPayment(payer: payer, reference: payer == .store ? "Support case 102-4711" : "SEPA 2026-0815"),
                reason: Reason(.goodwill, "Paid back as agreed."),
                caller: admin
            )
        }
    }

    private func approve(_ number: String, of order: RecentCharge) async throws {
        _ = try await backOffice.approveRefund(
            number,
            app: app,
            RefundApproval(confirmation: RefundPolicy.confirmation(of: order.number)),
            reason: Reason(.goodwill, "Within policy, and the customer has been fair with us."),
            caller: admin
        )
    }
}
