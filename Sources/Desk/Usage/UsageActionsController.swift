import Billing
package import Foundation
package import HTTP
package import Hummingbird
package import Operations
import Storage

/// The forms with which staff raise, restore and reset a customer's limits.
package struct UsageActionsController: Sendable {
    let backOffice: BackOffice

    /// `GET /dashboard/customers/{id}/limit-raises/new`, and so on.
    package func new(_ action: UsageAction) -> @Sendable (StaffRequest) async throws -> Response {
        { call in
            let call = call.taking("of", "from")
            let typed = UsageForm(of: call.query["of"] ?? "")
            return .page(try await page(action, typed, try customer(call), call))
        }
    }

    /// `POST /dashboard/customers/{id}/limit-raises`, and so on.
    package func create(_ action: UsageAction) -> @Sendable (StaffRequest) async throws -> Response {
        { call in
            let id = try customer(call)
            let form = try UsageForm(call.form)
            do {
                return try await run(action, form, id, call)
            } catch let error as OperationsError where error.code == .invalid || error.code == .conflict {
                let page = try await page(action, form, id, call, error)
                return .page(page, status: error.code == .conflict ? .conflict : .unprocessableContent)
            }
        }
    }

    private func run(
        _ action: UsageAction,
        _ form: UsageForm,
        _ id: Customer.ID,
        _ call: StaffRequest
    ) async throws -> Response {
        var problems = FieldProblems()
        let target = try problems.read { try form.target() }
        let command = try problems.read { try form.command(action, zone: call.zone) }
        let reason = try problems.read { try call.reason() }
        guard let target, let command, let reason else { throw problems.error }
        do {
            let outcome = try await backOffice.change(
                target.feature,
                target.window,
                command,
                of: id,
                app: call.app.id,
                reason: reason,
                key: try call.key(for: "\(id)", target.formValue, "\(command)", reason.forAudit),
                caller: call.caller
            )
            return call.done(outcome, see: DashboardPath.customer(id, from: call.from))
        } catch let error as OperationsError {
            throw error.renaming("feature", to: "of").renaming("window", to: "of").renaming("amount", to: "increase")
        }
    }

    private func page(
        _ action: UsageAction,
        _ form: UsageForm,
        _ id: Customer.ID,
        _ call: StaffRequest,
        _ error: OperationsError? = nil
    ) async throws -> ActionPage {
        guard let meters = try await backOffice.meters(of: id, app: call.app.id) else { throw Self.missing }
        let (name, policy) = try await backOffice.database.readPrimary { reader in
            let name = try await reader.screens.customerName(
                id,
                app: call.app.id,
                seesPersonalData: call.seesPersonalData
            )
            return (name, try await reader.entitlementSources.settings(of: call.app.id))
        }
        guard let name else { throw Self.missing }
        return ActionPage(
            action,
            form,
            UsageCase(
                customer: id,
                person: name.shown(to: call.viewer),
                meters: meters,
                days: call.session.role == .support ? policy?.supportGrantLimitDays : nil
            ),
            key: backOffice.database.newUUID().uuidString.lowercased(),
            error: error,
            from: call.from,
            viewer: call.viewer,
            now: backOffice.database.now
        )
    }

    private func customer(_ call: StaffRequest) throws -> Customer.ID {
        guard let id = Customer.ID(try call.parameter("id")) else { throw Self.missing }
        return id
    }

    private static var missing: WebError { WebError(.notFound, "There is no such customer.") }
}

/// The typed fields of a form about a limit.
package struct UsageForm: Sendable {
    /// The limit: `ai:day`.
    package var of: String
    /// The number to add to the limit.
    package var increase = ""
    package var until = ""
    package var category: String?
    package var reason: String?

    package init(of: String) {
        self.of = of
    }

    package init(_ fields: URLEncoded) throws(WebError) {
        of = try fields.single("of") ?? ""
        increase = (try fields.single("increase") ?? "").filter { !$0.isWhitespace }
        until = try fields.single("until") ?? ""
        category = try fields.single("category")
        reason = try fields.single("reason")
    }

    package func target() throws(OperationsError) -> UsageTarget {
        guard let target = UsageTarget(form: of) else {
            throw OperationsError(problems: [FieldProblem("of", .unknownChoice)])
        }
        return target
    }

    /// - Parameter zone: the app's: a limit is raised until the end of the day that is named.
    package func command(_ action: UsageAction, zone: TimeZone) throws -> UsageCommand {
        switch action {
        case .restorations: return .restore
        case .resets: return .reset
        case .raises:
            var problems = FieldProblems()
            let number = Int64(increase)
            if number == nil { problems.add(FieldProblem("increase", increase.isEmpty ? .missing : .notANumber)) }
            let day = try problems.read { try BusinessDay(field: "until", until) }
            guard let number, let day else { throw problems.error }
            return .raise(by: number, until: day?.end(in: zone))
        }
    }
}
