import Billing
import Foundation
import Testing

@Suite("what staff do for a customer")
struct EntitlementDecisionTests {
    let pro = Plan(code: "PRO", rank: 1)
    let premium = Plan(code: "PREMIUM", rank: 2)
    let now = Date.day(10)
    let paidID = Subscription.ID(UUID())
    let grantID = Grant.ID(UUID())

    private func sources(paidUntil end: Double? = 30, _ grants: Grant...) -> EntitlementSources {
        var subscription = Subscription()
        subscription.state = .active
        subscription.startedAt = .day(0)
        subscription.periodEndsAt = end.map { .day($0) }
        subscription.renewsAutomatically = true
        let held = HeldSubscription(id: paidID, subscription: subscription, plan: pro)
        return EntitlementSources(customer: Customer.ID(UUID()), subscriptions: [held], grants: grants)
    }

    private func gift(_ plan: Plan, until end: Double?) -> Grant {
        Grant(id: grantID, plan: plan, kind: .complimentary, startsAt: .day(5), endsAt: end.map { .day($0) })
    }

    private func after(_ action: EntitlementAction, _ sources: EntitlementSources) throws -> EntitlementSources {
        try sources.decide(action, at: now) { Grant.ID(UUID()) }.after
    }

    private func rejectionReason(_ action: EntitlementAction, _ sources: EntitlementSources) -> ActionRefused.Code? {
        do throws(ActionRefused) {
            _ = try sources.decide(action, at: now) { Grant.ID(UUID()) }
            return nil
        } catch {
            return error.code
        }
    }

    @Test("an extension of what is paid begins where it ends, and shows in the entitlement's end")
    func extendPaid() throws {
        let after = try after(.extendCurrent(days: 7), sources())
        #expect(after.entitlement(at: now)?.source == .subscription(paidID))
        #expect(after.entitlement(at: now)?.until == .day(37))
        #expect(after.entitlement(at: .day(33))?.plan == pro)
        #expect(after.entitlement(at: .day(37)) == nil)
        let twice = try self.after(.extendCurrent(days: 3), after)
        #expect(twice.grants.count == 1)
        #expect(twice.entitlement(at: now)?.until == .day(40))
    }

    @Test("a higher plan on top of what is paid lasts as long as that, then the customer falls back")
    func lift() throws {
        let after = try after(.changeCurrentTier(to: premium), sources())
        #expect(after.entitlement(at: now)?.plan == premium)
        #expect(after.outlook(from: now).map { $0.plan?.code } == ["PREMIUM", nil])
        #expect(rejectionReason(.changeCurrentTier(to: pro), sources()) == .notAbovePaid)
    }

    @Test("a grant is put on another plan with the same end")
    func changeGrant() throws {
        let sources = sources(paidUntil: 6, gift(pro, until: 50))
        let after = try after(.changeTier(.grant(grantID), to: premium), sources)
        #expect(after.entitlement(at: now)?.plan == premium)
        #expect(after.entitlement(at: now)?.until == .day(50))
        #expect(after.entitlement(at: .day(50)) == nil)
        #expect(rejectionReason(.changeTier(.grant(grantID), to: pro), sources) == .samePlan)
    }

    @Test("the plan that everybody has ends a grant, and what is paid for is never put on it")
    func changeToFree() throws {
        let free = Plan(code: "FREE", rank: 0)
        let after = try after(.changeTier(.grant(grantID), to: free), sources(paidUntil: 30, gift(premium, until: 50)))
        #expect(after.grants.map(\.endedAt) == [now])
        #expect(after.entitlement(at: now)?.plan == pro)
        #expect(rejectionReason(.changeCurrentTier(to: free), sources()) == .planIsFree)
    }

    @Test("what is paid is revoked beside the store's state, with what follows it, and restored with it")
    func revokeAndRestore() throws {
        let extended = try after(.extendCurrent(days: 7), sources())
        let revoked = try extended.decide(.revoke(.subscription(paidID)), at: now) { grantID }
        #expect(revoked.revokesPaid)
        #expect(revoked.after.outlook(from: now).map(\.plan) == [nil])
        #expect(revoked.after.subscription(paidID)?.subscription == extended.subscription(paidID)?.subscription)
        #expect(rejectionReason(.revoke(.subscription(paidID)), revoked.after) == .alreadyRevoked)
        let restored = try after(.restore(.subscription(paidID)), revoked.after)
        #expect(restored.outlook(from: now) == extended.outlook(from: now))
        #expect(rejectionReason(.restore(.subscription(paidID)), restored) == .notRevoked)
    }

    @Test("a transfer takes the subscription and what follows it, and nothing else")
    func transfer() throws {
        let extended = try after(.extendCurrent(days: 7), sources(paidUntil: 30, gift(premium, until: 12)))
        let after = try after(.transfer(paidID, to: Customer.ID(UUID())), extended)
        #expect(after.subscriptions.isEmpty)
        #expect(after.grants.map(\.id) == [grantID])
        #expect(rejectionReason(.transfer(paidID, to: extended.customer), extended) == .sameCustomer)
    }

    @Test(
        "what cannot be is refused with its reason",
        arguments: [
            (EntitlementAction.grant(Plan(code: "FREE", rank: 0), .days(3)), ActionRefused.Code.planIsFree),
            (.grant(Plan(code: "PRO", rank: 1), .days(3)), .changesNothing),
            (.grant(Plan(code: "PRO", rank: 1), .days(0)), .daysOutOfRange),
            (.grant(Plan(code: "PRO", rank: 1), .days(3_651)), .daysOutOfRange),
            (.grant(Plan(code: "PRO", rank: 1), .until(.day(10))), .endOutOfRange),
            (.grant(Plan(code: "PRO", rank: 1), .until(.day(9_000))), .endOutOfRange),
            (.extend(.grant(Grant.ID(UUID())), days: 3), .notHeld),
            (.extendCurrent(days: -1), .daysOutOfRange),
        ]
    )
    func rejections(_ action: EntitlementAction, _ code: ActionRefused.Code) {
        #expect(rejectionReason(action, sources()) == code)
    }

    @Test("what never ends, is over or does not run is not extended")
    func extensionRefusals() {
        #expect(rejectionReason(.extendCurrent(days: 3), sources(paidUntil: nil)) == .hasNoEnd)
        #expect(rejectionReason(.extendCurrent(days: 3), sources(paidUntil: 9)) == .nothingRuns)
        #expect(
            rejectionReason(.extend(.grant(grantID), days: 3), sources(paidUntil: 9, gift(pro, until: 8))) == .isOver
        )
        #expect(
            rejectionReason(.extend(.grant(grantID), days: 3), sources(paidUntil: 9, gift(pro, until: nil)))
                == .hasNoEnd
        )
    }

    @Test("what the store renews only the customer can cancel; of grants, those that would follow are ended")
    func cancel() throws {
        #expect(rejectionReason(.cancelAtPeriodEnd(.subscription(paidID)), sources()) == .onlyAtStore)
        let later = Grant(id: Grant.ID(UUID()), plan: pro, kind: .complimentary, startsAt: .day(50), endsAt: .day(60))
        let sources = sources(paidUntil: 9, gift(pro, until: 50), later)
        #expect(sources.entitlement(at: now)?.until == .day(60))
        #expect(try after(.cancelAtPeriodEnd(.grant(grantID)), sources).entitlement(at: now)?.until == .day(50))
    }

    @Test("support gives up to the limit ahead, in one step or in several")
    func limit() throws {
        func decide(
            _ action: EntitlementAction,
            _ sources: EntitlementSources
        ) throws(ActionRefused) -> EntitlementSources {
            try sources.decide(action, at: now, within: .days(30)) { Grant.ID(UUID()) }.after
        }
        let nobody = EntitlementSources(customer: Customer.ID(UUID()))
        #expect(throws: ActionRefused(.aboveLimit, days: 30)) { try decide(.grant(pro, .days(31)), nobody) }
        #expect(throws: ActionRefused(.aboveLimit, days: 30)) { try decide(.grant(pro, .withoutEnd), nobody) }
        let given = try decide(.grant(pro, .days(20)), nobody)
        #expect(throws: ActionRefused(.aboveLimit, days: 30)) { try decide(.extendCurrent(days: 11), given) }
        // What is added to a trial is given, too.
        var tried = nobody
        let trial = Grant(
            id: Grant.ID(UUID()),
            plan: pro,
            kind: .trial,
            startsAt: now,
            endsAt: now.addingTimeInterval(7 * 86_400)
        )
        tried.grants = [trial]
        #expect(throws: ActionRefused(.aboveLimit, days: 30)) { try decide(.extend(.grant(trial.id), days: 31), tried) }
        let longer = try decide(.extend(.grant(trial.id), days: 20), tried)
        #expect(longer.grants.map(\.kind) == [.trial, .complimentary])
        #expect(longer.grant(trial.id)?.endsAt == trial.endsAt)
        #expect(try decide(.extendCurrent(days: 10), given).entitlement(at: now)?.until == .day(40))
    }
}
