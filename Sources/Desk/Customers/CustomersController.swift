package import Billing
import Foundation
package import HTTP
package import Hummingbird
import Operations
package import Storage
import Words

/// The pages about customers.
package struct CustomersController: Sendable {
    let backOffice: BackOffice
    let counts: CappedCounts

    package var database: Database { backOffice.database }

    /// `GET /dashboard/customers`
    @Sendable package func index(_ call: StaffRequest) async throws -> Response {
        let (filter, call) = try call.reading(CustomerFilter.self)
        let (list, plans, settings) = try await database.read { reader in
            async let settings = reader.ask(call.settings(of: .customers, reader))
            async let plans = reader.screens.plans(of: call.app.id)
            let list = try await reader.screens.customers(
                filter,
                app: call.app.id,
                zone: call.zone,
                seesPersonalData: call.seesPersonalData,
                counts: counts
            )
            return (list, try await plans, try await settings)
        }
        if list.startsOver { return call.startOver(at: filter.firstPage.path) }
        return .page(
            CustomerIndexPage(
                list: list,
                filter: filter,
                plans: plans,
                settings: settings,
                viewer: call.viewer,
                now: database.now
            )
        )
    }

    /// `GET /dashboard/customers/{id}`
    @Sendable package func show(_ call: StaffRequest) async throws -> Response {
        let id = try customer(call)
        let (filter, call) = try call.reading(Timeline.Filter.self, beside: "from")
        let (details, timeline, done) = try await database.read { reader in
            async let done = reader.entitlementSources.actions(of: id, limit: 10)
            async let timeline = reader.screens.timeline(of: id, filter, seesPersonalData: call.seesPersonalData)
            let details = try await reader.screens.customer(
                id: id,
                app: call.app.id,
                seesPersonalData: call.seesPersonalData
            )
            return (details, try await timeline, try await done)
        }
        let meters = try await backOffice.meters(of: id, app: call.app.id)
        let memberships = try await database.read { reader in
            try await reader.seatClaims.listed(ofMember: id, seesPersonalData: call.seesPersonalData, limit: 20)
        }
        let from = DashboardPath.safe(call.query["from"])
        guard let details else { return try await survivor(of: id, from: from, call) }
        if timeline.startsOver {
            return call.startOver(at: Timeline.Filter(part: filter.part).path(of: id, from: from))
        }
        return .page(
            CustomerShowPage(
                details: details,
                meters: meters,
                memberships: memberships,
                timeline: timeline,
                filter: filter,
                actions: PageAction.forCustomer(
                    id,
                    details.entitlementSources,
                    done,
                    staff: call.session.staff,
                    from: from,
                    call.viewer,
                    now: database.now
                ),
                from: from,
                newNoteID: database.newUUID(),
                staff: call.session.staff,
                viewer: call.viewer,
                now: database.now
            )
        )
    }

    /// Where the record of a customer has ended in another's, that one is shown.
    private func survivor(of id: Customer.ID, from: String?, _ call: StaffRequest) async throws -> Response {
        let survivor = try await database.readPrimary { try await $0.screens.survivor(of: id, app: call.app.id) }
        guard let survivor else { throw Self.missing }
        return .seeOther(DashboardPath.customer(survivor, from: from))
    }

    /// `POST /dashboard/customers/{id}/notes`: `id` of the note, `text`.
    @Sendable package func addNote(_ call: StaffRequest) async throws -> Response {
        let id = try customer(call)
        let name = try await database.read {
            try await $0.screens.customerName(id, app: call.app.id, seesPersonalData: false)
        }
        guard name != nil else { throw Self.missing }
        guard let key = try call.form.single("id").flatMap({ CustomerNote.ID($0) }) else {
            throw WebError(.invalid, "The form is not whole. Load the page again.", field: "id")
        }
        let text = try call.form.single("text") ?? ""
        let entry: UUID?
        do {
            entry = try await backOffice.addNote(
                text,
                id: key,
                about: id,
                of: call.app.id,
                author: call.session.name,
                caller: call.caller
            )
        } catch let error as OperationsError where error.code == .invalid {
            let page = ActionPage(refusedNote: text, id: key, about: id, from: call.from, error, call.viewer)
            return .page(page, status: .unprocessableContent)
        }
        let path = DashboardPath.customer(id, from: call.from)
        return entry.map { call.done($0, see: path) } ?? .seeOther(path)
    }

    /// `GET /dashboard/customers/{id}/notes/{note}/withdraw`
    @Sendable package func askToWithdrawNote(_ call: StaffRequest) async throws -> Response {
        let call = call.taking("from")
        let (id, note) = (try customer(call), try note(call))
        let details = try await database.read {
            try await $0.screens.customer(id: id, app: call.app.id, seesPersonalData: call.seesPersonalData)
        }
        let found = details?.notes.first { $0.id == note && $0.staff == call.session.staff }
        guard let found else { throw WebError(.notFound, "There is no such note of yours any more.") }
        return .page(NoteWithdrawalPage(note: found, customer: id, from: call.from, viewer: call.viewer))
    }

    /// `POST /dashboard/customers/{id}/notes/{note}/withdraw`
    @Sendable package func withdrawNote(_ call: StaffRequest) async throws -> Response {
        let (id, note) = (try customer(call), try note(call))
        let entry = try await backOffice.withdrawNote(note, about: id, of: call.app.id, caller: call.caller)
        return call.done(entry, see: DashboardPath.customer(id, from: call.from))
    }

    /// `GET /dashboard/customers/{id}/consent`
    @Sendable package func askForConsent(_ call: StaffRequest) async throws -> Response {
        let call = call.taking("from")
        return .page(try await consentPage(try customer(call), call))
    }

    /// `POST /dashboard/customers/{id}/consent`: `consent`, and why.
    @Sendable package func recordConsent(_ call: StaffRequest) async throws -> Response {
        let id = try customer(call)
        do {
            var problems = FieldProblems()
            let isGiven = try problems.read { try ConsentChoice(call.form).isGiven }
            let reason = try problems.read { try call.reason() }
            guard let isGiven, let reason else { throw problems.error }
            let outcome = try await backOffice.recordConsent(
                isGiven,
                of: id,
                app: call.app.id,
                reason: reason,
                key: try call.key(for: "\(id)\n\(isGiven)\n\(reason.forAudit)"),
                caller: call.caller
            )
            return call.done(outcome, see: DashboardPath.customer(id, from: call.from))
        } catch let error as OperationsError where error.code == .invalid {
            return .page(try await consentPage(id, call, error), status: .unprocessableContent)
        }
    }

    private func consentPage(
        _ id: Customer.ID,
        _ call: StaffRequest,
        _ error: OperationsError? = nil
    ) async throws -> ActionPage {
        let details = try await database.readPrimary {
            try await $0.screens.customer(id: id, app: call.app.id, seesPersonalData: call.seesPersonalData)
        }
        guard let details else { throw Self.missing }
        return ActionPage(
            consentOf: details,
            key: database.newUUID().uuidString.lowercased(),
            typed: call.form.typed,
            problems: error.map { FormField.problems(in: $0, call.viewer.strings) } ?? [:],
            from: call.from,
            viewer: call.viewer,
            now: database.now
        )
    }

    package func customer(_ call: StaffRequest) throws -> Customer.ID {
        guard let id = Customer.ID(try call.parameter("id")) else { throw Self.missing }
        return id
    }

    private func note(_ call: StaffRequest) throws -> CustomerNote.ID {
        guard let id = CustomerNote.ID(try call.parameter("note")) else {
            throw WebError(.notFound, "There is no such note.")
        }
        return id
    }

    package static var missing: WebError { WebError(.notFound, "There is no such customer.") }
}
