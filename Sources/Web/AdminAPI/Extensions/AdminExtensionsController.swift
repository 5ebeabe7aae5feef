import APITypes
import Billing
import Foundation
import Hummingbird
import Operations
import Storage

/// Renewals that staff have stores put off, as JSON, for programs.
struct AdminExtensionsController: Sendable {
    let backOffice: BackOffice

    private var database: Database { backOffice.database }

    static let list = APIOperation(
        "listExtensions",
        .subscriptions,
        "Renewals that staff had stores put off, newest first",
        query: [PageParameter()],
        answer: .ok(ExtensionRequestPage.self, "A page of 25.")
    )

    /// `GET /admin/extensions`
    @Sendable func index(_ call: APIRequest) async throws -> Response {
        let question = ListParameters(call.query)
        let filter = ExtensionFilter(position: try question.position(of: .extensionRequested))
        let list = try await database.read { try await $0.screens.extensions(of: call.app, filter) }
        let page = ExtensionRequestPage(
            extensions: list.rows.map { ExtensionRequestItem($0) },
            next: list.next(by: filter)?.text
        )
        return .json(page)
    }

    static let one = APIOperation(
        "showExtension",
        .subscriptions,
        "One extension, and what came of it",
        path: .id("id", "The extension's id."),
        answer: .ok(ExtensionRequestItem.self, "The extension.")
    )

    /// `GET /admin/extensions/{id}`
    @Sendable func show(_ call: APIRequest) async throws -> Response {
        guard let id = ExtensionRequest.ID(try call.parameter("id")) else { throw Self.missing }
        return try await answer(id, call)
    }

    static let request = APIOperation(
        "extendRenewals",
        .subscriptions,
        "Has a store put off the next renewal of one subscription, or of all who subscribe to a product",
        """
        Apple extends active, paid subscriptions, each by 1 to 90 days and twice in 365 days. A worker asks the store; `state` says how \
        far it is. All subscribers of a product are for admins.
        """,
        body: NewExtensionRequest.body,
        answer: .created(ExtensionRequestItem.self, "The extension.", hasLocation: true)
    )

    /// `POST /admin/extensions`
    @Sendable func create(_ call: APIRequest) async throws -> Response {
        let sent = try await call.body(NewExtensionRequest.self)
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
        guard let id = ExtensionRequest.ID(outcome.result) else { throw Self.missing }
        var response = try await answer(id, call, status: .created)
        response.headers[.location] = Paths.extensionRequest(id.description)
        return response
    }

    private func extend(
        _ wanted: NewExtensionRequest,
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
        _ id: ExtensionRequest.ID,
        _ call: APIRequest,
        status: HTTPResponse.Status = .ok
    ) async throws -> Response {
        let found = try await database.readPrimary { try await $0.screens.extensionRequest(id, of: call.app) }
        guard let found else { throw Self.missing }
        return .json(ExtensionRequestItem(found), status: status)
    }

    private static var missing: WebError { WebError(.notFound, "There is no such extension.") }
}

extension ExtensionRequestItem {
    fileprivate init(_ row: ExtensionRequest) {
        var item = ExtensionRequestItem(
            id: row.id.uuid,
            source: row.store.source,
            environment: row.environment.name,
            subscriptionId: nil,
            originalTransactionId: nil,
            productId: nil,
            storefronts: nil,
            days: row.days,
            reasonCode: row.reasonCode.name,
            requestedBy: row.requested.actor,
            requestedAt: row.requested.at,
            state: row.state.word.uppercased(),
            renewsAt: nil,
            succeededCount: nil,
            failedCount: nil,
            errorCode: nil,
            error: nil,
            finishedAt: nil
        )
        switch row.target {
        case .subscription(let id, let original):
            (item.subscriptionId, item.originalTransactionId) = (id.uuid, original)
        case .product(_, let product, let storefronts): (item.productId, item.storefronts) = (product, storefronts)
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
