import APITypes
import Billing
import Foundation
package import HTTP
package import Hummingbird
import Operations
import Storage
import Words

/// Starts and answers the trial that an app gives by itself, in the readmigo document's shape.
package struct TrialController: Sendable {
    let purchases: CustomerPurchases

    private var backOffice: BackOffice { purchases.backOffice }

    package static let eligibility = APIOperation(
        "showTrialEligibility",
        .customerSubscriptions,
        "Whether the customer may start a trial",
        "Of the app's own trial, once to each customer; what a store offers at a first purchase is the store's to decide.",
        answer: .ok(TrialEligibility.self, "Whether, and why not.")
    )

    /// `GET /subscriptions/trial/eligibility`
    @Sendable package func showEligibility(_ call: CustomerRequest) async throws -> Response {
        .json(TrialEligibility(try await backOffice.trial(for: call.session), in: call.strings))
    }

    package static let status = APIOperation(
        "showTrial",
        .customerSubscriptions,
        "The customer's trial",
        "It is right at the moment it is asked: its end needs no sweep.",
        answer: .ok(TrialStatus.self, "The trial; `status` is null for who had none.")
    )

    /// `GET /subscriptions/trial/status`
    @Sendable package func show(_ call: CustomerRequest) async throws -> Response {
        .json(TrialStatus(try await purchases.current(of: call.session)))
    }

    package static let start = APIOperation(
        "startTrial",
        .customerSubscriptions,
        "Starts a trial for the customer",
        """
        Once to each customer, whatever is sent at the same time; as long as it runs, asking again answers the same. Who may have none is \
        answered 409 with `code`, a `reason` of the eligibility.
        """,
        takesKey: false,
        asksStore: true,
        answer: .ok(TrialStatus.self, "The trial that runs.")
    )

    /// `POST /subscriptions/trial/start`
    @Sendable package func start(_ call: CustomerRequest) async throws -> Response {
        _ = try await backOffice.startTrial(for: call.session)
        return .json(TrialStatus(try await purchases.changed(of: call.session)))
    }
}

extension TrialEligibility {
    fileprivate init(_ trial: CustomerTrial, in strings: Strings) {
        let refusal = trial.refusal
        self.init(
            eligible: refusal == nil,
            reason: refusal?.rawValue,
            message: (refusal.map { strings.sentence(of: $0.reason) } ?? strings.customerApiTrialEligible).description,
            planType: trial.offer?.plan,
            trialDays: trial.offer?.days(from: trial.now),
            eligibleProducts: trial.offer?.products ?? [],
            serverTime: trial.now
        )
    }
}

extension TrialStatus {
    fileprivate init(_ current: CurrentSubscription) {
        let trial = current.sources.trial
        let state = trial?.trialState(at: current.now)
        let isRunning = state == .trial
        let bought = state == .active ? current.sources.conversion : nil
        self.init(
            userId: current.session.customer.uuid,
            status: state?.rawValue.uppercased(),
            planType: isRunning ? trial?.plan.code : current.plan,
            source: trial == nil ? nil : bought?.store.source ?? "NONE",
            trialStartedAt: trial?.startsAt,
            trialEndsAt: trial?.endsAt,
            daysRemaining: isRunning ? trial?.daysRemaining(at: current.now) ?? 0 : 0,
            convertedAt: trial?.convertedAt,
            originalTransactionId: bought?.originalTransactionID,
            expiresAt: isRunning ? trial?.endsAt : current.expiresAt,
            serverTime: current.now
        )
    }
}

extension Grant {
    /// Returns the days left; a day that has begun counts.
    fileprivate func daysRemaining(at now: Date) -> Int? {
        timeAhead(at: now).map { Int(bounding: ($0 / 86_400).rounded(.up)) }
    }
}
