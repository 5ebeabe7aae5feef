import Billing
import Foundation
import Hummingbird
import Operations
import Storage

/// The refund queue, its requests, and what is done with them.
struct RefundsController: Sendable {
    let backOffice: BackOffice
    let counts: CappedCounts

    private var database: Database { backOffice.database }

    /// `GET /dashboard/refunds`
    @Sendable func index(_ call: StaffRequest) async throws -> Response {
        let filter = try call.reading { () throws(InvalidCursor) in try RefundFilter(query: call.query.pairs) }
        let (list, settings) = try await database.read { reader in
            async let settings = reader.ask(call.settings(of: .refunds, reader))
            let list = try await reader.screens.refunds(
                filter,
                app: call.app.id,
                seesPersonalData: call.seesPersonalData,
                counts: counts
            )
            return (list, try await settings)
        }
        if list.startsOver { return .seeOther(filter.firstPage.path) }
        return .page(
            RefundIndexPage(
                list: list,
                filter: filter,
                settings: settings,
                viewer: call.viewer,
                now: database.now
            )
        )
    }

    /// `GET /dashboard/refunds/{number}`
    @Sendable func show(_ call: StaffRequest) async throws -> Response {
        .page(
            RefundShowPage(
                details: try await details(call),
                person: call.refundPerson,
                from: DashboardPath.safe(call.query["from"]),
                viewer: call.viewer,
                now: database.now
            )
        )
    }

    /// `GET /dashboard/orders/{number}/refund`
    @Sendable func new(_ call: StaffRequest) async throws -> Response {
        let (order, refunds) = try await order(call)
        do throws(RefundRefused) {
            try refunds.refundable.requireRefundable()
        } catch {
            throw WebError(.conflict, error.message, underlying: error)
        }
        return .page(requestPage(order, refunds, call))
    }

    /// `POST /dashboard/orders/{number}/refund`
    @Sendable func create(_ call: StaffRequest) async throws -> Response {
        let (order, refunds) = try await order(call)
        do {
            let form = try RefundRequestForm(call.form, currency: order.order.currency)
            let outcome = try await backOffice.requestRefund(
                of: order.order.number,
                app: call.app.id,
                form.command,
                reason: form.reason,
                key: try call.key(for: form.text),
                caller: call.caller
            )
            return call.done(outcome, see: DashboardPath.refund(outcome.result))
        } catch let error as OperationsError where error.code == .invalid {
            return .page(requestPage(order, refunds, call, error), status: .unprocessableContent)
        } catch let error as OperationsError where error.code == .stale {
            let shown = try call.form.single("shown_left") ?? ""
            return .page(
                RefundStalePage(order, refunds, shownLeft: shown, viewer: call.viewer, now: database.now),
                status: .conflict
            )
        }
    }

    /// `GET /dashboard/refunds/{number}/approval` and the other steps: asks before it is done.
    func ask(_ step: RefundAction) -> @Sendable (StaffRequest) async throws -> Response {
        { call in
            let details = try await details(call)
            try check(step, details, call)
            guard step.isPossible(for: details.request) else {
                // Its page says where it stands, and who brought it there.
                return .seeOther(DashboardPath.refund(details.request.number))
            }
            return .page(stepPage(step, details, call))
        }
    }

    /// `POST /dashboard/refunds/{number}/approval` and the other steps.
    func perform(_ step: RefundAction) -> @Sendable (StaffRequest) async throws -> Response {
        { call in
            let number = try call.parameter("number")
            do {
                let outcome = try await backOffice.take(
                    try RefundStep(step, call.form),
                    with: number,
                    app: call.app.id,
                    reason: try call.reason(),
                    key: try call.key(for: call.form.command),
                    version: try call.form.single("version").flatMap { Int($0) },
                    caller: call.caller
                )
                return call.done(outcome, see: DashboardPath.refund(number))
            } catch let error as OperationsError where error.code == .invalid {
                let page = stepPage(step, try await details(call), call, error)
                return .page(page, status: .unprocessableContent)
            } catch let error as OperationsError where error.code == .forbidden {
                try check(step, try await details(call), call)
                throw error
            } catch let error as OperationsError where error.code == .stale || error.code == .conflict {
                let details = try await details(call)
                guard error.code == .stale || !step.isPossible(for: details.request) else { throw error }
                let page = RefundStalePage(step, details, viewer: call.viewer, now: database.now)
                return .page(page, status: .conflict)
            }
        }
    }

    /// Those who may not do it learn so before they type anything.
    private func check(_ step: RefundAction, _ details: RefundDetails, _ call: StaffRequest) throws(WebError) {
        let person = call.refundPerson
        if step == .approval, let bar = person.bar(from: details) {
            throw WebError(.forbidden, RefundText(call.viewer, now: database.now).sentence(bar))
        }
        if step == .cancellation, details.request.refund.status.isOpen, !person.mayCancel(details.request) {
            throw WebError(.forbidden, call.viewer.strings.refundsAdminDecides.description)
        }
    }

    private func details(_ call: StaffRequest) async throws -> RefundDetails {
        let number = try call.parameter("number")
        let found = try await database.readPrimary { reader in
            try await reader.screens.refund(
                number: number,
                app: call.app.id,
                for: call.session.staff,
                seesPersonalData: call.seesPersonalData
            )
        }
        guard let found else { throw WebError(.notFound, "There is no such refund request.") }
        return found
    }

    private func order(_ call: StaffRequest) async throws -> (OrderDetails, OrderRefundDetails) {
        let number = try call.parameter("number")
        return try await database.readPrimary { reader in
            let order = try await reader.screens.order(
                number: number,
                app: call.app.id,
                seesPersonalData: call.seesPersonalData
            )
            guard let order else { throw WebError(.notFound, "There is no such order.") }
            return (order, try await reader.screens.refunds(of: order, app: call.app.id))
        }
    }

    private func requestPage(
        _ order: OrderDetails,
        _ refunds: OrderRefundDetails,
        _ call: StaffRequest,
        _ error: OperationsError? = nil
    ) -> ActionPage {
        ActionPage(
            requestFor: order,
            refunds,
            key: newKey,
            typed: call.form.typed,
            problems: error.map { FormField.problems(in: $0, call.viewer.strings) } ?? [:],
            viewer: call.viewer,
            now: database.now
        )
    }

    private func stepPage(
        _ step: RefundAction,
        _ details: RefundDetails,
        _ call: StaffRequest,
        _ error: OperationsError? = nil
    ) -> ActionPage {
        ActionPage(
            step,
            details,
            key: newKey,
            typed: call.form.typed,
            problems: error.map { FormField.problems(in: $0, call.viewer.strings) } ?? [:],
            person: call.refundPerson,
            viewer: call.viewer,
            now: database.now
        )
    }

    private var newKey: String { database.newUUID().uuidString.lowercased() }
}

extension StaffRequest {
    var refundPerson: RefundPerson { RefundPerson(staff: session.staff, role: session.role) }
}

extension RefundStep {
    /// - Parameter form: what the action's page asks for.
    fileprivate init(_ action: RefundAction, _ form: URLEncoded) throws {
        switch action {
        case .approval:
            let approval = RefundApproval(
                answer: try form.single("answer").flatMap(RefundPreference.init(rawValue:)),
                confirmation: try form.single("confirmation")
            )
            self = .approval(approval)
        case .rejection: self = .rejection
        case .payment:
            let payment = RefundPayment(
                payer: try form.single("payer").flatMap(RefundPayer.init(rawValue:)) ?? .store,
                reference: try form.single("reference") ?? ""
            )
            self = .payment(payment)
        case .cancellation: self = .cancellation
        }
    }
}

extension URLEncoded {
    /// Everything the form asks for, for its one-time key.
    fileprivate var command: String {
        pairs.filter { $0.name != "csrf" && $0.name != "key" }.map { "\($0.name)=\($0.value)" }.joined(separator: "\n")
    }
}

/// What the form for a refund says, checked.
struct RefundRequestForm {
    let command: RefundCommand
    let reason: Reason
    /// For the one-time key.
    let text: String

    /// - Throws: `OperationsError` with everything that is wrong with it.
    init(_ form: URLEncoded, currency: Currency) throws {
        var problems: [FieldProblem] = []
        let chosen = try form.single("kind") ?? ""
        let kind = Refund.Kind(rawValue: chosen)
        if kind == nil { problems.append(FieldProblem("kind", chosen.isEmpty ? .missing : .unknownChoice)) }
        var amount: Money?
        if kind == .partial {
            let typed = form["amount"] ?? ""
            amount = Self.amount(typed, in: currency)
            if amount == nil {
                problems.append(FieldProblem("amount", typed.allSatisfy(\.isWhitespace) ? .missing : .notANumber))
            }
        }
        var reason: Reason?
        do throws(OperationsError) {
            reason = try Reason(category: form["category"], text: form["reason"])
        } catch {
            problems += error.problems
        }
        guard let kind, let reason, problems.isEmpty else { throw OperationsError(problems: problems) }
        self.reason = reason
        command = RefundCommand(
            kind: kind,
            amount: amount,
            note: try form.single("note")?.trimmingCharacters(in: .whitespacesAndNewlines),
            shownAt: try form.single("shown_at").flatMap { Int64($0) }.map {
                Date(timeIntervalSince1970: Double($0) / 1_000)
            },
            shownLeft: try form.single("shown_left").flatMap { try? Money(decimalText: $0, currency: currency) }
        )
        text = form.command
    }

    /// "40", "40.00", "1,280.00": a comma before two last digits is taken for a point where there is no other.
    private static func amount(_ typed: String, in currency: Currency) -> Money? {
        var digits = typed.filter { !$0.isWhitespace }
        let commas = digits.count { $0 == "," }
        if commas == 1, !digits.contains("."), digits.suffix(3).first == "," {
            digits = digits.replacingOccurrences(of: ",", with: ".")
        } else {
            digits = digits.replacingOccurrences(of: ",", with: "")
        }
        return try? Money(decimalText: digits, currency: currency)
    }
}
