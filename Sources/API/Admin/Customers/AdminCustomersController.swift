import APITypes
import Billing
import Foundation
package import HTTP
package import Hummingbird
import Operations
import Storage

/// Customers as JSON, for programs.
package struct AdminCustomersController: Sendable {
    let backOffice: BackOffice
    let counts: CappedCounts

    private var database: Database { backOffice.database }

    package static let list = APIOperation(
        "listCustomers",
        .customers,
        "Customers, newest first",
        "Names and e-mail addresses are there, and are searched, for those who may see personal data.",
        query: [
            CustomerFilter.searchParameter, CustomerFilter.planParameter,
            QueryParameter.source("Where they ever bought."), CustomerFilter.environmentParameter,
            CustomerFilter.refundsParameter, CustomerFilter.givenParameter, CustomerFilter.firstDay,
            CustomerFilter.lastDay,
            QueryParameter.direction(), PageParameter(),
        ],
        answer: .ok(CustomerPage.self, "A page of customers.")
    )

    /// `GET /admin/customers`
    @Sendable package func index(_ call: APIRequest) async throws -> Response {
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
            next: list.next(by: filter)?.text
        )
        return .json(page)
    }

    package static let one = APIOperation(
        "showCustomer",
        .customers,
        "One customer",
        path: .customerID,
        answer: .ok(CustomerSummary.self, "The customer.")
    )

    /// `GET /admin/customers/{id}`
    @Sendable package func show(_ call: APIRequest) async throws -> Response {
        let id = try await known(call)
        let details = try await database.read { reader in
            try await reader.screens.customer(id: id, app: call.app, seesPersonalData: call.seesPersonalData)
        }
        guard let details else { throw APIRequest.noCustomer }
        let customer = CustomerSummary(details, for: call, at: database.now)
        return .json(customer)
    }

    package static let history = APIOperation(
        "showTimeline",
        .customers,
        "What happened to a customer, newest first",
        path: .customerID,
        query: [Timeline.Filter.partParameter, PageParameter()],
        answer: .ok(TimelinePage.self, "A page of the timeline.")
    )

    /// `GET /admin/customers/{id}/timeline`
    @Sendable package func timeline(_ call: APIRequest) async throws -> Response {
        let id = try await known(call)
        let filter = try Timeline.Filter(call.query)
        let timeline = try await database.read { reader in
            try await reader.screens.timeline(of: id, filter, seesPersonalData: call.seesPersonalData)
        }
        let page = TimelinePage(
            moments: timeline.rows.map { TimelineEvent($0, for: call) },
            next: timeline.next(by: filter)?.text
        )
        return .json(page)
    }

    package static let noteList = APIOperation(
        "listNotes",
        .customers,
        "Notes about a customer, newest first",
        path: .customerID,
        query: [PageParameter()],
        answer: .ok(NotePage.self, "A page of notes.")
    )

    /// `GET /admin/customers/{id}/notes`, from the primary: what was just written is there.
    @Sendable package func notes(_ call: APIRequest) async throws -> Response {
        let id = try await known(call)
        let filter = NoteFilter(position: try ListParameters(call.query).position(of: .noteWritten))
        let list = try await database.readPrimary { try await $0.screens.notes(about: id, filter) }
        let page = NotePage(
            notes: list.rows.compactMap { Note($0, for: call) },
            next: list.next(by: filter)?.text
        )
        return .json(page)
    }

    package static let newNote = APIOperation(
        "addNote",
        .customers,
        "Writes a note about a customer",
        path: .customerID,
        body: NewNote.body,
        answer: .created(Note.self, "The note.")
    )

    /// `POST /admin/customers/{id}/notes`
    @Sendable package func addNote(_ call: APIRequest) async throws -> Response {
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
        return .json(written, status: .created)
    }

    package static let withdrawal = APIOperation(
        "withdrawNote",
        .customers,
        "Withdraws a note that the token's owner wrote",
        path: .customerID,
        .id("note", "The note's id."),
        answer: .noContent("The note is withdrawn; its text stays in the audit log alone.")
    )

    /// `DELETE /admin/customers/{id}/notes/{note}`: its text stays in the audit log alone.
    @Sendable package func withdrawNote(_ call: APIRequest) async throws -> Response {
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

    package static let consent = APIOperation(
        "recordConsent",
        .customers,
        "Records whether a customer lets their store know how they used what they bought",
        """
        Apple is told what we think of a refund, and how much was used, only with the customer's consent. The last one holds; \
        saying the same again changes nothing.
        """,
        path: .id("id", "The customer's app account token, or their id here."),
        body: NewConsent.body,
        answer: .ok(Consent.self, "What holds now.")
    )

    /// `PUT /admin/customers/{id}/consent`
    @Sendable package func recordConsent(_ call: APIRequest) async throws -> Response {
        guard let id = UUID(uuidString: try call.parameter("id")),
            try await database.readPrimary({ try await $0.screens.customer(token: id, of: call.app) }) != nil
        else { throw APIRequest.noCustomer }
        let sent = try await call.body(NewConsent.self)
        guard let isGiven = sent.value.given else {
            throw OperationsError(problems: [FieldProblem("given", .missing)]).forPrograms()
        }
        let consent = try await backOffice.recordConsent(isGiven, ofToken: id, app: call.app, caller: call.caller)
        return .json(
            Consent(
                given: consent.isGiven,
                source: consent.source.rawValue.uppercased(),
                recordedBy: consent.actor,
                recordedAt: consent.at
            )
        )
    }

    package static let tester = APIOperation(
        "markTester",
        .customers,
        "Says whether a customer is a tester",
        """
        What is bought in a store's sandbox costs nothing: it gives access to testers alone, unless the app's catalogue says \
        `sandboxAccess: everybody`. It never stands before what is paid for. Saying the same again changes nothing.
        """,
        path: .id("id", "The customer's app account token, or their id here."),
        body: NewTester.body,
        answer: .ok(Tester.self, "What holds now.")
    )

    /// `PUT /admin/customers/{id}/tester`
    @Sendable package func markTester(_ call: APIRequest) async throws -> Response {
        guard let id = UUID(uuidString: try call.parameter("id")),
            try await database.readPrimary({ try await $0.screens.customer(token: id, of: call.app) }) != nil
        else { throw APIRequest.noCustomer }
        guard let isTester = try await call.body(NewTester.self).value.tester else {
            throw OperationsError(problems: [FieldProblem("tester", .missing)]).forPrograms()
        }
        let since = try await backOffice.mark(asTester: isTester, token: id, app: call.app, caller: call.caller)
        return .json(Tester(tester: since != nil, since: since))
    }

    /// The customer of the path, who is one of the app's, or whom they have become.
    private func known(_ call: APIRequest) async throws -> Customer.ID {
        let id = try call.customer("id")
        let current = try await database.read { try await $0.screens.currentCustomer(id, app: call.app) }
        guard let current else { throw APIRequest.noCustomer }
        return current
    }
}

extension APIParameter {
    fileprivate static let customerID = APIParameter.id("id", "The customer's id.")
}

extension CustomerFilter {
    fileprivate static let searchParameter = QueryParameter.search(
        "q",
        "An id, a name or an e-mail address, or three characters and more of them."
    )
    fileprivate static let planParameter = QueryParameter(
        "planType",
        String.schema.following([.length(1, 100)]),
        "The plan that they may use now, as `planType` of an answer names it; `none` for nothing bought or given. An empty one is refused.",
        is: "a plan's code of 1 to 100 characters, or none",
        PlanNow.init(text:)
    )
    fileprivate static let refundsParameter = QueryParameter.flag("hasRefunds", "Only those who got money back.")
    fileprivate static let givenParameter = QueryParameter(
        capitals: "given",
        Given.self,
        "Only who has such access now: the trial that the app gives by itself, a promo code's, or what staff granted."
    )
    fileprivate static let firstDay = QueryParameter.day(
        "from",
        "First seen on this day or later, by the app's clock."
    )
    fileprivate static let lastDay = QueryParameter.day("to", "First seen on this day or earlier.")

    fileprivate static let environmentParameter = QueryParameter(
        capitals: "environment",
        StoreEnvironment.self,
        "Who has only ever bought in the sandbox is there alone, everybody else in production; without it all. Metrics are of production."
    )

    fileprivate init(_ query: URLEncoded) throws(WebError) {
        let question = ListParameters(query)
        self.init(
            search: try question.value(Self.searchParameter) ?? "",
            plan: try question.value(Self.planParameter),
            store: try question.value(.source()),
            environment: try question.value(Self.environmentParameter),
            hasRefunds: try question.value(Self.refundsParameter) ?? false,
            given: try question.value(Self.givenParameter),
            from: try question.value(Self.firstDay),
            to: try question.value(Self.lastDay),
            direction: try question.value(.direction()) ?? .descending,
            position: try question.position(of: .customerCreated)
        )
    }
}

extension Timeline.Filter {
    fileprivate static let partParameter = QueryParameter(capitals: "show", Timeline.Part.self, preset: .all)

    fileprivate init(_ query: URLEncoded) throws(WebError) {
        let question = ListParameters(query)
        self.init(part: try question.value(Self.partParameter) ?? .all, position: try question.position(of: .timeline))
    }
}
