import APITypes
import Billing
import Foundation
package import HTTP
package import Hummingbird
import Operations
import Storage

/// Renewals that stores are asked to put off, as JSON, for programs.
package struct AdminExtensionsController: Sendable {
    let backOffice: BackOffice

    private var database: Database { backOffice.database }

    package static let list = APIOperation(
        "listExtensions",
        .subscriptions,
        "Extensions of renewals at stores, newest first",
        query: [PageParameter()],
        answer: .ok(RenewalExtensionPage.self, "A page of 25.")
    )

    /// `GET /admin/extensions`
    @Sendable package func index(_ call: APIRequest) async throws -> Response {
        let question = ListParameters(call.query)
        let filter = ExtensionFilter(position: try question.position(of: .extensionStarted))
        let list = try await database.read { try await $0.screens.extensions(of: call.app, filter) }
        let page = RenewalExtensionPage(
            extensions: list.rows.map { RenewalExtensionItem($0, at: database.now) },
            next: list.next(by: filter)?.text
        )
        return .json(page)
    }

    package static let one = APIOperation(
        "showExtension",
        .subscriptions,
        "One extension, and what came of it",
        path: .id("id", "The extension's id."),
        answer: .ok(RenewalExtensionItem.self, "The extension.")
    )

    /// `GET /admin/extensions/{id}`
    @Sendable package func show(_ call: APIRequest) async throws -> Response {
        guard let id = RenewalExtension.ID(try call.parameter("id")) else { throw Self.missing }
        return try await answer(id, call)
    }

    package static let failures = APIOperation(
        "listExtensionFailures",
        .subscriptions,
        "The subscriptions that the extension of a product's subscribers left out, newest first",
        path: .id("id", "The extension's id."),
        query: [PageParameter()],
        answer: .ok(ExtensionFailurePage.self, "A page of 25.")
    )

    /// `GET /admin/extensions/{id}/failures`
    @Sendable package func failures(_ call: APIRequest) async throws -> Response {
        guard let id = RenewalExtension.ID(try call.parameter("id")) else { throw Self.missing }
        let question = ListParameters(call.query)
        let filter = ExtensionFailureFilter(of: id, position: try question.position(of: .extensionFailed))
        let list = try await database.read { reader -> ListPage<RenewalExtensionFailure>? in
            guard try await reader.screens.renewalExtension(id, of: call.app) != nil else { return nil }
            return try await reader.screens.failures(filter)
        }
        guard let list else { throw Self.missing }
        let page = ExtensionFailurePage(
            failures: list.rows.map { row in
                ExtensionFailureItem(
                    subscriptionId: row.subscription.uuid,
                    originalTransactionId: row.originalTransactionID,
                    failedAt: row.failedAt
                )
            },
            next: list.next(by: filter)?.text
        )
        return .json(page)
    }

    package static let request = APIOperation(
        "extendRenewals",
        .subscriptions,
        "Has a store put off the next renewal of one subscription, or of all who subscribe to a product",
        """
        Apple extends active, paid subscriptions, each by 1 to 90 days and twice in 365 days. A worker asks the store; `state` says how \
        far it is. All subscribers of a product are for admins.
        """,
        body: NewRenewalExtension.body,
        answer: .created(RenewalExtensionItem.self, "The extension.", hasLocation: true)
    )

    /// `POST /admin/extensions`
    @Sendable package func create(_ call: APIRequest) async throws -> Response {
        let sent = try await call.body(NewRenewalExtension.self)
        let wanted = sent.value
        var problems = FieldProblems()
        let terms = try problems.read {
            try ExtensionTerms(days: wanted.days.map { String($0) }, reasonCode: wanted.reasonCode)
        }
        let reason = try problems.read { try Reason(category: wanted.category, text: wanted.reason) }
        if (wanted.subscriptionId == nil) == (wanted.productId == nil) {
            problems.add(
                FieldProblem("subscriptionId", wanted.productId == nil ? .missing : .onlyOne)
            )
        }
        guard let terms, let reason, problems.found.isEmpty else { throw problems.error }
        let outcome: ActionOutcome
        do {
            outcome = try await extend(wanted, terms, reason, key: try call.key(for: sent.text), call)
        } catch let error as OperationsError where error.code == .notFound {
            let field = wanted.subscriptionId == nil ? "productId" : "subscriptionId"
            throw OperationsError(problems: [FieldProblem(field, .unknownChoice)])
        }
        guard let id = RenewalExtension.ID(outcome.result) else { throw Self.missing }
        var response = try await answer(id, call, status: .created)
        response.headers[.location] = Paths.renewalExtension(id.description)
        return response
    }

    private func extend(
        _ wanted: NewRenewalExtension,
        _ terms: ExtensionTerms,
        _ reason: Reason,
        key: IdempotencyKey?,
        _ call: APIRequest
    ) async throws -> ActionOutcome {
        if let subscription = wanted.subscriptionId {
            return try await backOffice.extendRenewal(
                of: Billing.Subscription.ID(subscription),
                app: call.app,
                terms,
                reason: reason,
                key: key,
                caller: call.caller
            )
        }
        guard let environment = StoreEnvironment(name: wanted.environment ?? "PRODUCTION") else {
            throw OperationsError(problems: [FieldProblem("environment", .unknownChoice)])
        }
        return try await backOffice.extendRenewals(
            ofProduct: wanted.productId ?? "",
            at: .apple,
            in: environment,
            storefronts: wanted.storefronts ?? [],
            app: call.app,
            terms,
            reason: reason,
            key: key,
            caller: call.caller
        )
    }

    private func answer(
        _ id: RenewalExtension.ID,
        _ call: APIRequest,
        status: HTTPResponse.Status = .ok
    ) async throws -> Response {
        let found = try await database.readPrimary { try await $0.screens.renewalExtension(id, of: call.app) }
        guard let found else { throw Self.missing }
        return .json(RenewalExtensionItem(found, at: database.now), status: status)
    }

    private static var missing: WebError { WebError(.notFound, "There is no such extension.") }
}

extension RenewalExtensionItem {
    fileprivate init(_ row: RenewalExtension, at now: Date) {
        var item = RenewalExtensionItem(
            id: row.id.uuid,
            source: row.store.source,
            environment: row.environment.name,
            requestIdentifier: row.requestIdentifier,
            subscriptionId: nil,
            originalTransactionId: nil,
            productId: nil,
            storefronts: nil,
            days: row.request?.days,
            reasonCode: row.request?.reasonCode.name,
            requestedBy: row.request?.act.actor,
            requestedAt: row.request?.act.at,
            state: row.state.word.uppercased(),
            renewsAt: nil,
            succeededCount: nil,
            failedCount: nil,
            errorCode: nil,
            error: nil,
            finishedAt: nil,
            unanswered: Unanswered(row.unanswered, at: now)
        )
        switch row.target {
        case .subscription(let id, let original):
            (item.subscriptionId, item.originalTransactionId) = (id.uuid, original)
        case .product(let product, let storefronts): (item.productId, item.storefronts) = (product, storefronts)
        }
        switch row.state {
        case .sending, .running: break
        case .succeeded(let date, let result):
            item.finishedAt = date
            item.renewsAt = result.renewsAt
            (item.succeededCount, item.failedCount) = (result.succeeded, result.failed)
        case .refused(let date, let code, let message):
            (item.finishedAt, item.errorCode, item.error) = (date, code, message)
        }
        self = item
    }
}
