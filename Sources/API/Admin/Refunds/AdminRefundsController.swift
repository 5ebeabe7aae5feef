import APITypes
import Billing
package import HTTP
import HTTPTypes
package import Hummingbird
import Operations
import Storage

/// Refund requests as JSON, for programs.
package struct AdminRefundsController: Sendable {
    let backOffice: BackOffice
    let counts: CappedCounts

    private var database: Database { backOffice.database }

    package static let list = APIOperation(
        "listRefunds",
        .refunds,
        "Refund requests, newest first",
        query: [
            RefundFilter.statusParameter, RefundFilter.openerParameter, RefundFilter.searchParameter,
            RefundFilter.sortParameter,
            QueryParameter.direction(preset: nil),
            PageParameter(),
        ],
        answer: .ok(RefundPage.self, "A page of 25 requests.")
    )

    /// `GET /admin/refunds`
    @Sendable package func index(_ call: APIRequest) async throws -> Response {
        let filter = try RefundFilter(call.query)
        let list = try await database.read { reader in
            try await reader.screens.refunds(
                filter,
                app: call.app,
                seesPersonalData: call.seesPersonalData,
                counts: counts
            )
        }
        let page = RefundPage(
            refunds: list.rows.map {
                APITypes.Refund($0.request, order: $0.orderNumber, payoutState: $0.payout, for: call)
            },
            next: list.next(by: filter)?.text
        )
        return .json(page)
    }

    package static let one = APIOperation(
        "showRefund",
        .refunds,
        "One refund request",
        path: .refund,
        answer: .ok(APITypes.Refund.self, "The request.")
    )

    /// `GET /admin/refunds/{number}`
    @Sendable package func show(_ call: APIRequest) async throws -> Response {
        try await answer(try call.parameter("number"), call)
    }

    package static let request = APIOperation(
        "requestRefund",
        .refunds,
        "Asks for a refund of an order",
        path: .order,
        body: NewRefund.body,
        answer: .created(APITypes.Refund.self, "The request.", hasLocation: true)
    )

    /// `POST /admin/orders/{id}/refunds`
    @Sendable package func create(_ call: APIRequest) async throws -> Response {
        let name = try call.parameter("id")
        guard let (order, _) = try await database.read({ try await $0.screens.orderRecord(name, app: call.app) }) else {
            throw WebError(.notFound, "There is no such order.")
        }
        let sent = try await call.body(NewRefund.self)
        var problems = FieldProblems()
        let command = try problems.read { try RefundCommand(sent.value, in: order.amount?.currency ?? .unknown) }
        let reason = try problems.read { try Reason(category: sent.value.category, text: sent.value.reason) }
        guard let command, let reason else {
            if let command { try await check(command, of: order.number, call, &problems) }
            throw problems.error
        }
        let outcome = try await backOffice.requestRefund(
            of: order.number,
            app: call.app,
            command,
            reason: reason,
            key: try call.key(for: sent.text),
            caller: call.caller
        )
        var response = try await answer(outcome.result, call, status: .created)
        response.headers[.location] = Paths.refund(outcome.result)
        return response
    }

    /// The problem of the amount, which is asked of the order last.
    private func check(
        _ command: RefundCommand,
        of number: String,
        _ call: APIRequest,
        _ problems: inout FieldProblems
    ) async throws {
        let refunds = try await database.readPrimary { reader in
            let order = try await reader.screens.order(number: number, app: call.app, seesPersonalData: false)
            guard let order else { return nil as OrderRefundDetails? }
            return try await reader.screens.refunds(of: order, app: call.app)
        }
        guard let refundable = refunds?.refundable else { return }
        _ = try problems.read {
            do throws(RefundRefused) {
                _ = try refundable.amount(for: command.kind, chosen: command.amount, at: database.now)
            } catch {
                throw OperationsError(error)
            }
        }
    }

    package static let approval = APIOperation(
        "approveRefund",
        .refunds,
        "Agrees to a refund; not for its requester",
        """
        The requester may approve as long as all they approved for themselves, of this order and today, stays below the \
        app's `selfApprovalLimit`: else 403. `confirmation` is typed once this, with what was approved of the order or by \
        the same admin today, reaches `typedConfirmationFrom`. Where the store decides for itself (Apple), both are compared with what it is \
        expected to pay back, whatever was asked for.
        """,
        path: .refund,
        body: RefundActionRequest.approval,
        answer: asItIsNow
    )

    private static let asItIsNow = APIOperation.Answer.ok(APITypes.Refund.self, "The request as it is now.")

    /// `POST /admin/refunds/{number}/approve`
    @Sendable package func approve(_ call: APIRequest) async throws -> Response {
        try await step(call) { sent, currency, problems in
            let amount: Money?? = try problems.read { try sent.amount.map { try Money($0, in: currency) } }
            return amount.map {
                .approval(RefundApproval(amount: $0, confirmation: sent.confirmation, revokes: sent.revokes ?? true))
            }
        }
    }

    package static let rejection = APIOperation(
        "rejectRefund",
        .refunds,
        "Refuses a refund",
        path: .refund,
        body: RefundActionRequest.rejection,
        answer: asItIsNow
    )

    /// `POST /admin/refunds/{number}/reject`
    @Sendable package func reject(_ call: APIRequest) async throws -> Response {
        try await step(call) { _, _, _ in .rejection }
    }

    package static let cancellation = APIOperation(
        "cancelRefund",
        .refunds,
        "Takes a request back before anything was paid",
        path: .refund,
        body: RefundActionRequest.cancellation,
        answer: asItIsNow
    )

    /// `POST /admin/refunds/{number}/cancel`
    @Sendable package func cancel(_ call: APIRequest) async throws -> Response {
        try await step(call) { _, _, _ in .cancellation }
    }

    package static let payment = APIOperation(
        "processRefund",
        .refunds,
        "Says that an approved refund was paid, and books it",
        path: .refund,
        body: RefundActionRequest.payment,
        answer: asItIsNow
    )

    /// `POST /admin/refunds/{number}/process`
    @Sendable package func process(_ call: APIRequest) async throws -> Response {
        try await step(call) { sent, _, problems in
            let payer = sent.paidBy.flatMap { RefundPayer(rawValue: $0.lowercased()) }
            if payer == nil { problems.add(FieldProblem("paidBy", .other("STORE or ELSEWHERE."))) }
            let payment = RefundPayment(payer: payer ?? .store, reference: sent.reference ?? "")
            let reference = try problems.read { try payment.checkedReference() }
            return payer == nil || reference == nil ? nil : .payment(payment)
        }
    }

    package static let sending = APIOperation(
        "sendRefund",
        .refunds,
        "Sends an approved refund to its store again",
        """
        Under the same number, under which the store pays once. Only while `payout.state` is `UNPAID`: the store has said for a day that it \
        knows of no refund under the number.
        """,
        path: .refund,
        body: RefundActionRequest.sending,
        answer: asItIsNow
    )

    /// `POST /admin/refunds/{number}/send`
    @Sendable package func send(_ call: APIRequest) async throws -> Response {
        try await step(call) { _, _, _ in .sending }
    }

    package static let settlement = APIOperation(
        "settleRefund",
        .refunds,
        "Has the store pay an approved refund to another account",
        """
        Only while `payout.state` is `ABNORMAL`: the customer's account takes nothing (WeChat Pay). To `MERCHANT` it goes to the merchant's bank \
        account, from which people pay the customer; to `CUSTOMER` with `bank`, `account` and `name`. The answer of the store is in `payout`.
        """,
        path: .refund,
        body: RefundActionRequest.settlement,
        answer: asItIsNow
    )

    /// `POST /admin/refunds/{number}/settle`
    @Sendable package func settle(_ call: APIRequest) async throws -> Response {
        try await step(call) { sent, _, problems in
            let route = RefundSettlementRoute(
                way: sent.way.flatMap { RefundSettlementRoute.Way(rawValue: $0.lowercased()) },
                bank: sent.bank ?? "",
                account: Secret(sent.account ?? ""),
                name: Secret(sent.name ?? "")
            )
            if route.way == nil {
                problems.add(FieldProblem("way", .other("MERCHANT or CUSTOMER.")))
                return nil
            }
            return try problems.read { try route.checked() } == nil ? nil : .settlement(route)
        }
    }

    private func step(
        _ call: APIRequest,
        _ read: (RefundActionRequest, Currency, inout FieldProblems) throws -> RefundStep?
    ) async throws -> Response {
        let number = try call.parameter("number")
        let details = try await details(number, call)
        let sent = try await call.body(RefundActionRequest.self)
        var problems = FieldProblems()
        let step = try read(sent.value, details.request.refund.requested.currency, &problems)
        let reason = try problems.read { try Reason(category: sent.value.category, text: sent.value.reason) }
        guard let step, let reason, problems.found.isEmpty else {
            if case .approval(let approval) = step { try await check(approval, details, call, &problems) }
            throw problems.error
        }
        let outcome = try await backOffice.take(
            step,
            with: number,
            app: call.app,
            reason: reason,
            key: try call.key(for: sent.text),
            version: sent.value.version,
            caller: call.caller
        )
        return try await answer(outcome.result, call)
    }

    /// The problem of the confirmation, which is asked for last.
    private func check(
        _ approval: RefundApproval,
        _ details: RefundDetails,
        _ call: APIRequest,
        _ problems: inout FieldProblems
    ) async throws {
        let weight = try await weight(of: approval, details, call)
        _ = try problems.read {
            do throws(RefundRefused) {
                try details.policy.requireConfirmation(
                    approval.confirmation,
                    of: details.order.order.number,
                    for: weight.amount,
                    after: weight.before
                )
            } catch {
                throw OperationsError(error)
            }
        }
    }

    /// The amounts that are compared with the limits: about what a store that decides for itself pays back, else what is approved.
    private func weight(
        of approval: RefundApproval,
        _ details: RefundDetails,
        _ call: APIRequest
    ) async throws -> ApprovalWeight {
        let (request, order) = (details.request, details.order.order)
        guard let amount = approval.amount, !request.isDecided(by: order.store) else {
            return details.weight(telling: .proposed(for: request.refund.kind))
        }
        return try await database.readPrimary { reader in
            try await reader.screens.weight(of: amount, on: order.id, app: call.app, by: call.token.staff)
        }
    }

    private func answer(
        _ number: String,
        _ call: APIRequest,
        status: HTTPResponse.Status = .ok
    ) async throws -> Response {
        let details = try await details(number, call)
        let refund = APITypes.Refund(
            details.request,
            order: details.order.order.number,
            unanswered: Unanswered(details.awaited, at: database.now),
            payout: details.payout.map { StorePayout($0, details.payoutSteps) },
            for: call
        )
        return .json(refund, status: status)
    }

    /// From the primary: what was just changed is there.
    private func details(_ number: String, _ call: APIRequest) async throws -> RefundDetails {
        let details = try await database.readPrimary { reader in
            try await reader.screens.refund(
                number: number,
                app: call.app,
                for: call.token.staff,
                seesPersonalData: false
            )
        }
        guard let details else { throw WebError(.notFound, "There is no such refund request.") }
        return details
    }
}

extension APIParameter {
    fileprivate static let refund = APIParameter.name("number", "The request's number.", example: "RF-000001")
}

extension RefundFilter {
    fileprivate static let statusParameter = QueryParameter(capitals: "status", Billing.Refund.Status.self)
    fileprivate static let openerParameter = QueryParameter(
        capitals: "openedBy",
        Opener.self,
        "STORE: cases that a store opened by asking what we think (Apple `CONSUMPTION_REQUEST`)."
    )
    fileprivate static let searchParameter = QueryParameter.search(
        "q",
        "A request's number, or what finds its order: a number, a store transaction, a product or a customer."
    )
    fileprivate static let sortParameter = QueryParameter("sort", Sort.self, preset: .requested)

    /// Reads the parameters of the list.
    fileprivate init(_ query: URLEncoded) throws(WebError) {
        let question = ListParameters(query)
        self.init(status: nil, sort: .requested)
        status = try question.value(Self.statusParameter)
        opener = try question.value(Self.openerParameter)
        search = try question.value(Self.searchParameter) ?? ""
        if let sort = try question.value(Self.sortParameter) {
            self.sort = sort
            direction = sort.usualDirection
        }
        if let direction = try question.value(.direction(preset: nil)) { self.direction = direction }
        position = try question.position(of: sort.cursorKind)
    }
}

extension RefundCommand {
    fileprivate init(_ new: NewRefund, in currency: Currency) throws {
        var problems = FieldProblems()
        let kind = new.type.flatMap { Billing.Refund.Kind(rawValue: $0.lowercased()) }
        if kind == nil { problems.add(FieldProblem("type", .other("FULL, PARTIAL or PRORATED."))) }
        let amount = try problems.read { try new.amount.map { try Money($0, in: currency) } } ?? nil
        if let note = new.internalNote, !Self.noteLength.contains(note.count) {
            problems.add(FieldProblem("internalNote", .tooLong(Self.noteLength.upperBound)))
        }
        guard let kind, problems.found.isEmpty else { throw problems.error }
        self.init(kind: kind, amount: amount, note: new.internalNote)
    }
}

extension Money {
    fileprivate init(_ amount: Amount, in currency: Currency) throws(OperationsError) {
        do {
            self = try Money(decimalText: amount.text, currency: currency)
        } catch {
            throw OperationsError(.invalid, error.message, field: "amount", underlying: error)
        }
    }
}
