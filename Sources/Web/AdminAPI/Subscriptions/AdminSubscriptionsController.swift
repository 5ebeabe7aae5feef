import APITypes
import Billing
import Foundation
import Hummingbird
import Operations
import Storage

/// Subscriptions as JSON, and what staff do about what a customer has (readmigo, parts 3 and 5).
struct AdminSubscriptionsController: Sendable {
    let backOffice: BackOffice
    let counts: CappedCounts

    private var database: Database { backOffice.database }

    private static let shownActions = 10

    /// `GET /admin/subscriptions`
    @Sendable func index(_ call: APIRequest) async throws -> Response {
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
            next: list.hasNext ? list.rows.last.map { filter.cursor(at: $0, rowsBefore: 0).text } : nil
        )
        return .json { page.write(to: &$0) }
    }

    /// `GET /admin/subscriptions/{customer}`
    @Sendable func show(_ call: APIRequest) async throws -> Response {
        let access = try await access(of: try call.customer("customer"), call)
        return .json { access.write(to: &$0) }
    }

    /// `POST /admin/subscriptions/{customer}/grant`, `…/extend`, `…/revoke`, and so on.
    func step(_ action: AccessAction) -> @Sendable (APIRequest) async throws -> Response {
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
            return .json { change.write(to: &$0) }
        }
    }

    private func take(
        _ action: AccessAction,
        _ sent: SentJSON<EntitlementActionRequest>,
        for customer: Customer.ID,
        _ call: APIRequest
    ) async throws -> ActionOutcome {
        let step = sent.value
        return try await backOffice.change(
            customer,
            of: call.app,
            try step.command(action),
            reason: try Reason(category: step.category, text: step.reason),
            key: try call.key(for: sent.text),
            version: step.version,
            confirmsRevokingPaid: step.confirmation == AccessCase.confirmationCode(of: customer),
            caller: call.caller
        )
    }

    /// From the primary: what was just changed is there.
    private func access(of customer: Customer.ID, _ call: APIRequest) async throws -> CustomerAccess {
        let found = try await database.readPrimary { reader in
            (
                try await reader.entitlementSources.of(customer, app: call.app),
                try await reader.entitlementSources.actions(of: customer, limit: Self.shownActions)
            )
        }
        guard let held = found.0 else { throw APIRequest.noCustomer }
        return CustomerAccess(held, found.1, at: database.now)
    }
}

extension SubscriptionFilter {
    private static let names: Set<String> = [
        "q", "status", "planType", "source", "environment", "customer", "renewsWithin", "sort", "dir", "after",
    ]
    private static let longestSpan = 366

    fileprivate init(_ query: URLEncoded) throws(WebError) {
        let question = try ListParameters(query, takes: Self.names)
        self.init(
            search: try question.search(),
            state: try question.value("status") { Subscription.State(rawValue: $0.lowercased()) },
            plan: try question.value("planType") { $0.isEmpty || $0.unicodeScalars.count > 100 ? nil : $0 },
            store: try question.value("source") { Store(source: $0) },
            environment: try question.value("environment") { StoreEnvironment(rawValue: $0.lowercased()) },
            customer: try question.value("customer") { Customer.ID($0) },
            renewsWithin: try question.value("renewsWithin") { text in
                Int(text).flatMap { (1...Self.longestSpan).contains($0) ? $0 : nil }
            },
            sort: try question.value("sort", Sort.init(rawValue:)) ?? .started,
            direction: try question.value("dir", SortDirection.init(rawValue:)) ?? .descending
        )
        position = try question.position(of: sort.cursorKind)
    }
}
