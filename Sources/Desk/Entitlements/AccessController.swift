package import Billing
package import Foundation
package import HTTP
import HTTPTypes
package import Hummingbird
import Operations
package import Storage

/// Serves the actions of staff on one customer. Each is a form, a page that shows what would change, and a post.
package struct AccessController: Sendable {
    let backOffice: BackOffice

    private typealias Forms = (form: AccessForm, customer: Customer.ID, case: AccessCase)

    /// `GET /dashboard/customers/{id}/{action}/new`
    package func new(_ action: AccessAction) -> @Sendable (StaffRequest) async throws -> Response {
        { call in
            let call = call.taking(AccessForm.names)
            let (form, customer, known) = try await open(action, call, call.query)
            if action == .undoings, form.of.isEmpty {
                return .seeOther(DashboardPath.customer(customer, from: form.from))
            }
            let stores = known.storesToCancelAt(form)
            guard stores.isEmpty else { return .page(AccessPages.elsewhere(form, known, stores, call.viewer)) }
            guard form.isFilled || !form.hasFirstStep else { return .page(AccessPages.form(form, known, call.viewer)) }
            do {
                let forecast = try await forecast(form, customer, call)
                return .page(confirmation(form, known, forecast, call))
            } catch let error as OperationsError where error.code == .invalid || error.code == .conflict {
                return .page(AccessPages.form(form, known, call.viewer, error: error), status: Self.status(of: error))
            }
        }
    }

    /// `POST /dashboard/customers/{id}/{action}`
    package func create(_ action: AccessAction) -> @Sendable (StaffRequest) async throws -> Response {
        { call in
            let (form, customer, known) = try await open(action, call, call.form)
            do {
                let outcome = try await change(form, customer, known, call)
                return call.done(
                    outcome,
                    see: DashboardPath.customer(Customer.ID(outcome.result) ?? customer, from: form.from)
                )
            } catch let error as OperationsError {
                guard [.invalid, .conflict, .stale].contains(error.code) else { throw error }
                let stores = known.storesToCancelAt(form)
                guard stores.isEmpty else {
                    return .page(AccessPages.elsewhere(form, known, stores, call.viewer), status: .conflict)
                }
                guard let now = try? await forecast(form, customer, call) else {
                    return .page(
                        AccessPages.form(form, known, call.viewer, error: error),
                        status: Self.status(of: error)
                    )
                }
                let page = confirmation(form, known, now, call, error: Self.whole(error, form, known, now))
                return .page(page, status: Self.status(of: error))
            }
        }
    }

    private func open(_ action: AccessAction, _ call: StaffRequest, _ fields: URLEncoded) async throws -> Forms {
        guard let customer = Customer.ID(try call.parameter("id")) else { throw Self.missing }
        let form = try AccessForm(action, fields)
        let known = try await backOffice.database.readPrimary { reader in
            try await AccessCase(of: customer, app: call.app.id, reader)
        }
        guard let known else { throw Self.missing }
        return (form, customer, known)
    }

    private func command(_ form: AccessForm, _ call: StaffRequest) async throws -> EntitlementCommand {
        var receiver: Customer.ID?
        if form.action == .transfers, !form.receiver.isEmpty {
            let found = try await backOffice.database.readPrimary { reader in
                try await reader.entitlementSources.customers(named: form.receiver, app: call.app.id)
            }
            receiver = found.count == 1 ? found.first : nil
        }
        return try form.command(receiver: receiver, zone: call.zone)
    }

    private func forecast(
        _ form: AccessForm,
        _ customer: Customer.ID,
        _ call: StaffRequest
    ) async throws -> EntitlementPreview {
        try await backOffice.forecast(
            try await command(form, call),
            for: customer,
            of: call.app.id,
            caller: call.caller
        )
    }

    private func change(
        _ form: AccessForm,
        _ customer: Customer.ID,
        _ known: AccessCase,
        _ call: StaffRequest
    ) async throws -> ActionOutcome {
        let command = try await command(form, call)
        let version = try call.form.version
        let reason = try call.reason()
        return try await backOffice.change(
            customer,
            of: call.app.id,
            command,
            reason: reason,
            key: try call.key(for: "\(command)", "\(version)", reason.forAudit),
            version: version,
            confirmsRevokingPaid: form.confirmation == known.confirmationCode,
            caller: call.caller
        )
    }

    private func confirmation(
        _ form: AccessForm,
        _ known: AccessCase,
        _ forecast: EntitlementPreview,
        _ call: StaffRequest,
        error: OperationsError? = nil
    ) -> ActionPage {
        AccessPages.confirmation(
            form,
            known,
            forecast,
            call.viewer,
            key: (try? call.form.single("key")) ?? backOffice.database.newUUID().uuidString.lowercased(),
            error: error
        )
    }

    /// With the confirmation, which is asked for last, where something else was wrong.
    private static func whole(
        _ error: OperationsError,
        _ form: AccessForm,
        _ known: AccessCase,
        _ forecast: EntitlementPreview
    ) -> OperationsError {
        guard error.code == .invalid, !error.problems.isEmpty, error.underlying == nil,
            forecast.decision.revokesPaid, form.confirmation != known.confirmationCode,
            !error.problems.contains(where: { $0.field == "confirmation" })
        else { return error }
        return OperationsError(problems: error.problems + [FieldProblem("confirmation", .notConfirmed)])
    }

    private static func status(of error: OperationsError) -> HTTPResponse.Status {
        error.code == .invalid ? .unprocessableContent : .conflict
    }

    private static var missing: WebError { WebError(.notFound, "There is no such customer.") }
}

/// The customer that an action is about, with what they hold and what the app can give.
package struct AccessCase: Sendable {
    package let customer: Customer.ID
    package let person: CustomerName
    package let held: EntitlementSources
    package let settings: SupportPolicy
    package let now: Date

    /// nil when the app has no such customer.
    package init?(of customer: Customer.ID, app: App.ID, _ reader: Reader) async throws {
        guard let settings = try await reader.entitlementSources.settings(of: app),
            let held = try await reader.entitlementSources.of(customer, app: app),
            let person = try await reader.entitlementSources.name(of: customer)
        else { return nil }
        (self.customer, self.person, self.held, self.settings) = (customer, person, held, settings)
        now = reader.now
    }

    /// Returns the stores at which the customer cancels what this form is about; empty where we can do it.
    func storesToCancelAt(_ form: AccessForm) -> [Store] {
        guard form.action == .cancellations else { return [] }
        if case .subscription(let id)? = Entitlement.Source(form: form.of) {
            return held.subscription(id).map { [$0.store] } ?? []
        }
        return form.of.isEmpty ? held.storesToCancelAt(at: now) : []
    }

    /// The text to type to confirm that something paid is taken away.
    package var confirmationCode: String { customer.confirmationCode }
}

extension EntitlementSources {
    /// Returns the stores at which the customer cancels, if all live access was bought at stores; empty if staff gave some of it.
    package func storesToCancelAt(at now: Date) -> [Store] {
        guard !grants.contains(where: { $0.isLive(at: now) }) else { return [] }
        return subscriptions.filter { $0.isLive(at: now) }.map(\.store).reduce(into: []) { stores, store in
            if !stores.contains(store) { stores.append(store) }
        }
    }
}
