import Billing
import Foundation
import HTTP
package import Hummingbird
import Operations
import Storage
import Words

/// The pages about renewals that stores are asked to put off.
package struct ExtensionsController: Sendable {
    let backOffice: BackOffice

    private var database: Database { backOffice.database }

    /// `GET /dashboard/extensions`
    @Sendable package func index(_ call: StaffRequest) async throws -> Response {
        let (filter, call) = try call.reading(ExtensionFilter.self)
        let list = try await database.read { try await $0.screens.extensions(of: call.app.id, filter) }
        if list.startsOver { return call.startOver(at: filter.firstPage.path) }
        return .page(ExtensionIndexPage(list: list, filter: filter, viewer: call.viewer, now: database.now))
    }

    /// `GET /dashboard/extensions/{id}`
    @Sendable package func show(_ call: StaffRequest) async throws -> Response {
        guard let id = RenewalExtension.ID(try call.parameter("id")) else { throw Self.missingExtension }
        let (filter, call) = try call.readingQuery(beside: ["from"]) { query throws(InvalidCursor) in
            try ExtensionFailureFilter(of: id, &query)
        }
        let app = call.app.id
        let found = try await database.read { reader -> (RenewalExtension, ListPage<RenewalExtensionFailure>)? in
            guard let row = try await reader.screens.renewalExtension(id, of: app) else { return nil }
            return (row, try await reader.screens.failures(filter))
        }
        guard let (row, failures) = found else { throw Self.missingExtension }
        if failures.startsOver { return call.startOver(at: filter.firstPage.path(from: call.from)) }
        return .page(
            ExtensionShowPage(
                row,
                failures: failures,
                filter: filter,
                from: call.from,
                viewer: call.viewer,
                now: database.now
            )
        )
    }

    /// `GET /dashboard/subscriptions/{id}/extension`
    @Sendable package func askForOne(_ call: StaffRequest) async throws -> Response {
        .page(try await page(of: try subscription(call), call.taking("from")))
    }

    /// `POST /dashboard/subscriptions/{id}/extension`
    @Sendable package func extendOne(_ call: StaffRequest) async throws -> Response {
        let id = try subscription(call)
        do {
            var problems = FieldProblems()
            let terms = try problems.read { try call.extensionTerms() }
            let reason = try problems.read { try call.reason() }
            guard let terms, let reason else { throw problems.error }
            let outcome = try await backOffice.extendRenewal(
                of: id,
                app: call.app.id,
                terms,
                reason: reason,
                key: try call.key(for: "\(terms.days)\n\(terms.reasonCode.name)\n\(reason.forAudit)"),
                caller: call.caller
            )
            let details = try await details(id, call)
            return call.done(outcome, see: DashboardPath.customer(details.row.customer.id, from: call.from))
        } catch let error as OperationsError where error.code == .invalid {
            return .page(try await page(of: id, call, error), status: .unprocessableContent)
        }
    }

    /// `GET /dashboard/extensions/new`
    @Sendable package func askForMany(_ call: StaffRequest) async throws -> Response {
        .page(try await newPage(call.taking()))
    }

    /// `POST /dashboard/extensions`
    @Sendable package func extendMany(_ call: StaffRequest) async throws -> Response {
        do {
            var problems = FieldProblems()
            let product = try problems.read { try call.chosenProduct() }
            let environment = try problems.read { try call.chosenEnvironment() }
            let terms = try problems.read { try call.extensionTerms() }
            let reason = try problems.read { try call.reason() }
            let typed = try call.form.single("storefronts") ?? ""
            guard let product, let environment, let terms, let reason else { throw problems.error }
            let outcome = try await backOffice.extendRenewals(
                ofProduct: product,
                at: .apple,
                in: environment,
                storefronts: typed.uppercased().split { !$0.isLetter }.map(String.init),
                app: call.app.id,
                terms,
                reason: reason,
                key: try call.key(
                    for: [
                        product, environment.rawValue, typed, String(terms.days), terms.reasonCode.name,
                        reason.forAudit,
                    ]
                    .joined(separator: "\n")
                ),
                caller: call.caller
            )
            return call.done(outcome, see: DashboardPath.extensions)
        } catch let error as OperationsError where error.code == .invalid || error.code == .notFound {
            return .page(try await newPage(call, error), status: .unprocessableContent)
        }
    }

    private func page(
        of id: Subscription.ID,
        _ call: StaffRequest,
        _ error: OperationsError? = nil
    ) async throws -> ActionPage {
        ActionPage(
            extensionOf: try await details(id, call),
            key: database.newUUID().uuidString.lowercased(),
            typed: call.form.typed,
            problems: error.map { FormField.problems(in: $0, call.viewer.strings) } ?? [:],
            from: call.from,
            viewer: call.viewer,
            now: database.now
        )
    }

    private func newPage(_ call: StaffRequest, _ error: OperationsError? = nil) async throws -> ActionPage {
        let choices = try await database.read { try await $0.metrics.choices(app: call.app.id) }
        return ActionPage(
            newExtensionOf: choices.products.filter { $0.store.rules.extendsRenewals && $0.period != nil }
                .map { ($0.id, "\($0.name) (\($0.id))") },
            key: database.newUUID().uuidString.lowercased(),
            typed: call.form.typed,
            problems: error.map { FormField.problems(in: $0, call.viewer.strings) } ?? [:],
            viewer: call.viewer,
            now: database.now
        )
    }

    private func details(_ id: Subscription.ID, _ call: StaffRequest) async throws -> SubscriptionDetails {
        let found = try await database.readPrimary {
            try await $0.screens.subscription(id: id, app: call.app.id, seesPersonalData: call.seesPersonalData)
        }
        guard let found else { throw Self.missing }
        return found
    }

    private func subscription(_ call: StaffRequest) throws -> Subscription.ID {
        guard let id = Subscription.ID(try call.parameter("id")) else { throw Self.missing }
        return id
    }

    private static var missing: WebError { WebError(.notFound, "There is no such subscription.") }
    private static var missingExtension: WebError { WebError(.notFound, "There is no such extension.") }
}

extension StaffRequest {
    fileprivate func extensionTerms() throws -> ExtensionTerms {
        try ExtensionTerms(days: form.single("days"), reasonCode: form.single("reasonCode"))
    }

    fileprivate func chosenProduct() throws -> String {
        let product = try form.single("product") ?? ""
        guard !product.isEmpty else { throw OperationsError(problems: [FieldProblem("product", .missing)]) }
        return product
    }

    fileprivate func chosenEnvironment() throws -> StoreEnvironment {
        let word = try form.single("environment") ?? ""
        guard let environment = StoreEnvironment(rawValue: word) else {
            throw OperationsError(problems: [
                FieldProblem("environment", word.isEmpty ? .missing : .unknownChoice)
            ])
        }
        return environment
    }
}
