import APITypes
import Billing
import Foundation
package import HTTP
package import Hummingbird
import Operations
import Storage

/// Subscriptions as JSON, and what staff do about what a customer has (readmigo, parts 3 and 5).
package struct AdminSubscriptionsController: Sendable {
    let backOffice: BackOffice
    let counts: CappedCounts

    private var database: Database { backOffice.database }

    private static let shownActions = 10

    package static let list = APIOperation(
        "listSubscriptions",
        .subscriptions,
        "Subscriptions, newest first",
        query: [
            SubscriptionFilter.searchParameter, SubscriptionFilter.stateParameter, SubscriptionFilter.planParameter,
            QueryParameter.source(), SubscriptionFilter.environmentParameter, QueryParameter.customer,
            SubscriptionFilter.renewalParameter, SubscriptionFilter.endParameter,
            SubscriptionFilter.sortParameter, QueryParameter.direction(), PageParameter(),
        ],
        answer: .ok(SubscriptionPage.self, "A page of subscriptions.")
    )

    /// `GET /admin/subscriptions`
    @Sendable package func index(_ call: APIRequest) async throws -> Response {
        let filter = try SubscriptionFilter(call.query)
        let list = try await database.read { reader in
            try await reader.screens.subscriptions(
                filter,
                app: call.app,
                seesPersonalData: call.seesPersonalData,
                counts: counts
            )
        }
        let now = database.now
        let page = SubscriptionPage(
            subscriptions: list.rows.map { SubscriptionSummary($0, at: now) },
            next: list.next(by: filter)?.text
        )
        return .json(page)
    }

    package static let access = APIOperation(
        "showAccess",
        .subscriptions,
        "What a customer may use now, and everything that gives it",
        path: .customer,
        answer: .ok(CustomerAccess.self, "What the customer has.")
    )

    /// `GET /admin/subscriptions/{customer}`
    @Sendable package func show(_ call: APIRequest) async throws -> Response {
        let access = try await access(of: try call.customer("customer"), call)
        return .json(access)
    }

    /// `POST /admin/subscriptions/{customer}/grant`, `…/extend`, `…/revoke`, and so on.
    package func step(_ action: AccessAction) -> @Sendable (APIRequest) async throws -> Response {
        { call in
            let customer = try call.customer("customer")
            _ = try await access(of: customer, call)
            let sent = try await call.body(EntitlementActionRequest.self)
            let auditEntry: UUID
            do {
                auditEntry = try await take(action, sent, for: customer, call).auditEntry
            } catch let error as OperationsError {
                throw error.forPrograms()
            }
            let change = AccessChange(auditEntryId: auditEntry, access: try await access(of: customer, call))
            return .json(change)
        }
    }

    private func take(
        _ action: AccessAction,
        _ sent: SentJSON<EntitlementActionRequest>,
        for customer: Customer.ID,
        _ call: APIRequest
    ) async throws -> ActionOutcome {
        let step = sent.value
        let (command, reason) = try await command(action, step, for: customer, call)
        return try await backOffice.change(
            customer,
            of: call.app,
            command,
            reason: reason,
            key: action.isOfTheDocument ? try call.optionalKey(for: sent.text) : try call.key(for: sent.text),
            version: step.version,
            confirmsRevokingPaid: step.confirmation == customer.confirmationCode,
            caller: call.caller
        )
    }

    /// The change, and its reason.
    ///
    /// - Throws: `OperationsError` with `.invalid` and everything that is wrong, the confirmation too, which is asked for last.
    private func command(
        _ action: AccessAction,
        _ step: EntitlementActionRequest,
        for customer: Customer.ID,
        _ call: APIRequest
    ) async throws -> (EntitlementCommand, Reason) {
        do {
            return try step.command(action)
        } catch let error as OperationsError where error.code == .invalid {
            var problems = FieldProblems()
            guard let command = try step.command(action, &problems), problems.found.isEmpty,
                step.confirmation != customer.confirmationCode,
                let forecast = try? await backOffice.forecast(
                    command,
                    for: customer,
                    of: call.app,
                    caller: call.caller
                ),
                forecast.decision.revokesPaid
            else { throw error }
            throw OperationsError(problems: error.problems + [FieldProblem("confirmation", .notConfirmed)])
        }
    }

    /// From the primary: what was just changed is there.
    private func access(of customer: Customer.ID, _ call: APIRequest) async throws -> CustomerAccess {
        let found = try await database.readPrimary { reader in
            (
                try await reader.entitlementSources.of(customer, app: call.app),
                try await reader.entitlementSources.actions(of: customer, limit: Self.shownActions),
                try await reader.screens.consentRescindedAt(of: customer),
                try await reader.entitlementSources.settings(of: call.app)?.basePlan
            )
        }
        guard let held = found.0 else { throw APIRequest.noCustomer }
        return CustomerAccess(
            held,
            found.1,
            basePlan: found.3?.plan.code,
            consentRescindedAt: found.2,
            at: database.now
        )
    }
}

extension APIParameter {
    package static let customer = APIParameter.id("customer", "The customer's id.")
}

extension SubscriptionFilter {
    fileprivate static let searchParameter = QueryParameter.search(
        "q",
        "An original transaction or a customer, or three characters and more of them."
    )
    fileprivate static let stateParameter = QueryParameter(
        capitals: "status",
        Subscription.State.self,
        "As it is now."
    )
    fileprivate static let planParameter = QueryParameter.name("planType", longest: 100)
    fileprivate static let environmentParameter = QueryParameter(capitals: "environment", StoreEnvironment.self)
    fileprivate static let renewalParameter = QueryParameter.number(
        "renewsWithin",
        1...366,
        "Renews itself within so many days."
    )
    fileprivate static let endParameter = QueryParameter.number(
        "endsWithin",
        1...366,
        "Ends within so many days and cannot renew by itself."
    )
    fileprivate static let sortParameter = QueryParameter("sort", Sort.self, preset: .started)

    fileprivate init(_ query: URLEncoded) throws(WebError) {
        let question = ListParameters(query)
        self.init(
            search: try question.value(Self.searchParameter) ?? "",
            state: try question.value(Self.stateParameter),
            plan: try question.value(Self.planParameter),
            store: try question.value(.source()),
            environment: try question.value(Self.environmentParameter),
            customer: try question.value(.customer),
            renewsWithin: try question.value(Self.renewalParameter),
            endsWithin: try question.value(Self.endParameter),
            sort: try question.value(Self.sortParameter) ?? .started,
            direction: try question.value(.direction()) ?? .descending
        )
        position = try question.position(of: sort.cursorKind)
    }
}
