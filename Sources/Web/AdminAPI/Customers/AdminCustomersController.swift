import APITypes
import Billing
import Foundation
import Hummingbird
import Operations
import Storage

/// Customers as JSON, for programs.
struct AdminCustomersController: Sendable {
    let backOffice: BackOffice
    let counts: CappedCounts

    private var database: Database { backOffice.database }

    /// `GET /admin/customers`
    @Sendable func index(_ call: APIRequest) async throws -> Response {
        let filter = try CustomerFilter(call.query)
        let list = try await database.read { reader in
            try await reader.screens.customers(
                filter,
                app: call.app,
                zone: call.zone,
                seesPersonalData: call.seesPersonalData,
                counts: counts
            )
        }
        let now = database.now
        let page = CustomerPage(
            customers: list.rows.map { CustomerSummary($0, for: call, at: now) },
            next: list.hasNext ? list.rows.last.map { filter.cursor(after: $0).text } : nil
        )
        return .json { page.write(to: &$0) }
    }

    /// `GET /admin/customers/{id}`
    @Sendable func show(_ call: APIRequest) async throws -> Response {
        let id = try call.customer("id")
        let details = try await database.read { reader in
            try await reader.screens.customer(id: id, app: call.app, seesPersonalData: call.seesPersonalData)
        }
        guard let details else { throw APIRequest.noCustomer }
        let customer = CustomerSummary(details, for: call, at: database.now)
        return .json { customer.write(to: &$0) }
    }

    /// `GET /admin/customers/{id}/timeline`
    @Sendable func timeline(_ call: APIRequest) async throws -> Response {
        let id = try await known(call)
        let filter = try Timeline.Filter(call.query)
        let timeline = try await database.read { reader in
            try await reader.screens.timeline(of: id, filter, seesPersonalData: call.seesPersonalData)
        }
        let last = timeline.hasOlder ? timeline.moments.last : nil
        let page = TimelinePage(
            moments: timeline.moments.map { TimelineEvent($0, for: call) },
            next: last.map { PageCursor(kind: .timeline, date: $0.at, id: $0.id, rowsBefore: 0).text }
        )
        return .json { page.write(to: &$0) }
    }

    /// `GET /admin/customers/{id}/notes`, from the primary: what was just written is there.
    @Sendable func notes(_ call: APIRequest) async throws -> Response {
        let id = try await known(call)
        let question = try ListParameters(call.query, takes: ["after"])
        let position = try question.position(of: .noteWritten)
        let list = try await database.readPrimary { try await $0.screens.notes(about: id, at: position) }
        let last = list.hasNext ? list.notes.last : nil
        let page = NotePage(
            notes: list.notes.compactMap { Note($0, for: call) },
            next: last.map { PageCursor(kind: .noteWritten, date: $0.createdAt, id: $0.id.uuid, rowsBefore: 0).text }
        )
        return .json { page.write(to: &$0) }
    }

    /// `POST /admin/customers/{id}/notes`
    @Sendable func addNote(_ call: APIRequest) async throws -> Response {
        let id = try await known(call)
        let sent = try await call.body(NewNote.self)
        let outcome: ActionOutcome
        do {
            outcome = try await backOffice.addNote(
                sent.value.text ?? "",
                about: id,
                of: call.app,
                author: call.token.ownerName,
                key: try call.key(for: sent.text),
                caller: call.caller
            )
        } catch let error as OperationsError {
            throw error.forPrograms()
        }
        let written = try await database.readPrimary { reader in
            guard let note = CustomerNote.ID(outcome.result) else { return nil as CustomerNote? }
            return try await reader.screens.note(note, about: id)
        }
        guard let written = written.flatMap({ Note($0, for: call) }) else {
            throw WebError(.notFound, "The note has been withdrawn since.")
        }
        return .json(status: .created) { written.write(to: &$0) }
    }

    /// `DELETE /admin/customers/{id}/notes/{note}`: its text stays in the audit log alone.
    @Sendable func withdrawNote(_ call: APIRequest) async throws -> Response {
        let id = try await known(call)
        guard let note = CustomerNote.ID(try call.parameter("note")) else {
            throw WebError(.notFound, "There is no such note.")
        }
        do {
            try await backOffice.withdrawNote(note, about: id, of: call.app, caller: call.caller)
        } catch let error as OperationsError {
            throw error.forPrograms()
        }
        return Response(status: .noContent)
    }

    /// The customer of the path, who is one of the app's.
    private func known(_ call: APIRequest) async throws -> Customer.ID {
        let id = try call.customer("id")
        let name = try await database.read { reader in
            try await reader.screens.customerName(id, app: call.app, seesPersonalData: false)
        }
        guard name != nil else { throw APIRequest.noCustomer }
        return id
    }
}

extension CustomerFilter {
    private static let names: Set<String> = [
        "q", "planType", "source", "hasRefunds", "from", "to", "dir", "after",
    ]

    fileprivate init(_ query: URLEncoded) throws(WebError) {
        let question = try ListParameters(query, takes: Self.names)
        self.init(
            search: try question.search(),
            plan: try question.value("planType", PlanNow.init(text:)),
            store: try question.value("source") { Store(source: $0) },
            hasRefunds: try question.value("hasRefunds") { ["true": true, "false": false][$0] } ?? false,
            from: try question.day("from"),
            to: try question.day("to"),
            direction: try question.value("dir", SortDirection.init(rawValue:)) ?? .descending,
            position: try question.position(of: .customerCreated)
        )
    }

    fileprivate func cursor(after row: CustomerList.Row) -> PageCursor {
        PageCursor(kind: .customerCreated, date: row.createdAt, id: row.customer.id.uuid, rowsBefore: 0)
    }
}

extension Timeline.Filter {
    fileprivate init(_ query: URLEncoded) throws(WebError) {
        let question = try ListParameters(query, takes: ["show", "after"])
        let part = try question.value("show") { Timeline.Part(rawValue: $0.lowercased()) }
        self.init(part: part ?? .all, position: try question.position(of: .timeline))
    }
}
