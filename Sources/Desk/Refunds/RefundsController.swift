package import Billing
package import Foundation
package import HTTP
package import Hummingbird
package import Operations
import Storage
import Words

/// The refund queue, its requests, and what is done with them.
package struct RefundsController: Sendable {
    let backOffice: BackOffice
    let counts: CappedCounts

    private var database: Database { backOffice.database }

    /// `GET /dashboard/refunds`
    @Sendable package func index(_ call: StaffRequest) async throws -> Response {
        let (filter, call) = try call.reading(RefundFilter.self)
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
        if list.startsOver { return call.startOver(at: filter.firstPage.path) }
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
    @Sendable package func show(_ call: StaffRequest) async throws -> Response {
        let call = call.taking("from")
        return .page(
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
    @Sendable package func new(_ call: StaffRequest) async throws -> Response {
        let call = call.taking("from")
        let (order, refunds) = try await order(call)
        do throws(RefundRefused) {
            try refunds.refundable.requireRefundable()
        } catch {
            throw WebError(.conflict, error.message, underlying: error)
        }
        return .page(requestPage(order, refunds, call))
    }

    /// `POST /dashboard/orders/{number}/refund`
    @Sendable package func create(_ call: StaffRequest) async throws -> Response {
        let (order, refunds) = try await order(call)
        do {
            let form = try RefundRequestForm(call.form, of: refunds.refundable, at: database.now)
            let outcome = try await backOffice.requestRefund(
                of: order.order.number,
                app: call.app.id,
                form.command,
                reason: form.reason,
                key: try call.key(for: form.text),
                caller: call.caller
            )
            let back = call.from.map { DashboardPath.order(order.order.number, from: $0) }
            return call.done(outcome, see: DashboardPath.refund(outcome.result, from: back))
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
    package func ask(_ step: RefundAction) -> @Sendable (StaffRequest) async throws -> Response {
        { call in
            // A preference that nobody knows is said to be left out.
            let call = call.taking(call.chosenAnswer == nil ? ["from"] : ["from", "answer"])
            let details = try await details(call)
            try check(step, details, call)
            guard step.isPossible(for: details) else {
                // Its page says where it stands, and who brought it there.
                return .seeOther(DashboardPath.refund(details.request.number, from: call.from))
            }
            return .page(stepPage(step, details, call))
        }
    }

    /// `POST /dashboard/refunds/{number}/approval` and the other steps.
    package func perform(_ step: RefundAction) -> @Sendable (StaffRequest) async throws -> Response {
        { call in
            let number = try call.parameter("number")
            do {
                var problems = FieldProblems()
                let taken = try problems.read { try RefundStep(step, call.form) }
                let reason = try problems.read { try call.reason() }
                let version = try problems.read { try call.form.version }
                guard let taken, let reason, let version else { throw problems.error }
                let outcome = try await backOffice.take(
                    taken,
                    with: number,
                    app: call.app.id,
                    reason: reason,
                    key: try call.key(for: call.form.command),
                    version: version,
                    caller: call.caller
                )
                return call.done(outcome, see: DashboardPath.refund(number, from: call.from))
            } catch let error as OperationsError where error.code == .invalid {
                let details = try await details(call)
                let page = stepPage(step, details, call, Self.whole(error, step, details, call.form))
                return .page(page, status: .unprocessableContent)
            } catch let error as OperationsError where error.code == .forbidden {
                try check(step, try await details(call), call)
                throw error
            } catch let error as OperationsError where error.code == .stale || error.code == .conflict {
                let details = try await details(call)
                guard error.code == .stale || !step.isPossible(for: details) else { throw error }
                let page = RefundStalePage(step, details, viewer: call.viewer, now: database.now)
                return .page(page, status: .conflict)
            }
        }
    }

    /// With the confirmation, which is asked for last, where something else was wrong.
    private static func whole(
        _ error: OperationsError,
        _ step: RefundAction,
        _ details: RefundDetails,
        _ form: URLEncoded
    ) -> OperationsError {
        let problems = error.problems
        guard step == .approval, !error.problems.contains(where: { $0.field == "confirmation" }) else { return error }
        let answer = form["answer"].flatMap(RefundPreference.init(rawValue:)) ?? details.proposedGrant
        let weight = details.weight(telling: answer)
        do throws(RefundRefused) {
            try details.policy.requireConfirmation(
                form["confirmation"],
                of: details.order.order.number,
                for: weight.amount,
                after: weight.before
            )
            return error
        } catch {
            return OperationsError(problems: problems + [FieldProblem("confirmation", .notConfirmed)])
        }
    }

    /// Those who may not do it learn so before they type anything.
    private func check(_ step: RefundAction, _ details: RefundDetails, _ call: StaffRequest) throws(WebError) {
        let person = call.refundPerson
        if step == .approval, let bar = person.bar(from: details, telling: call.chosenAnswer) {
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
        guard var found else { throw WebError(.notFound, "There is no such refund request.") }
        found.isPaidByStore = try await backOffice.paysRefunds(of: call.app.id, at: found.order.order.store)
        if found.answering != nil {
            found.hasStoreKey = try await backOffice.answersRefunds(of: call.app.id, at: found.order.order.store)
        }
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
            from: call.from,
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
            answer: call.chosenAnswer,
            person: call.refundPerson,
            from: call.from,
            viewer: call.viewer,
            now: database.now
        )
    }

    private var newKey: String { database.newUUID().uuidString.lowercased() }
}

extension StaffRequest {
    package var refundPerson: RefundPerson { RefundPerson(staff: session.staff, role: session.role) }

    /// The preference that an approval is asked about with; nil for the proposed one.
    fileprivate var chosenAnswer: RefundPreference? {
        guard let named = (form["answer"] ?? query["answer"]).flatMap(RefundPreference.init(rawValue:)) else {
            return nil
        }
        return RefundPreference.grants.contains(named) ? named : nil
    }
}

extension RefundStep {
    /// - Parameter form: the fields that the action's page asks for.
    fileprivate init(_ action: RefundAction, _ form: URLEncoded) throws {
        switch action {
        case .approval:
            let approval = RefundApproval(
                answer: try form.single("answer").flatMap(RefundPreference.init(rawValue:)),
                confirmation: try form.single("confirmation"),
                revokes: try form.single("access") != "keep"
            )
            self = .approval(approval)
        case .rejection: self = .rejection
        case .payment:
            let payment = RefundPayment(
                payer: try form.single("payer").flatMap(RefundPayer.init(rawValue:)) ?? .store,
                reference: try form.single("reference") ?? ""
            )
            _ = try payment.checkedReference()
            self = .payment(payment)
        case .cancellation: self = .cancellation
        case .sending: self = .sending
        case .settlement:
            let route = RefundSettlementRoute(
                way: try form.single("way").flatMap(RefundSettlementRoute.Way.init(rawValue:)),
                bank: try form.single("bank") ?? "",
                account: Secret(try form.single("account") ?? ""),
                name: Secret(try form.single("name") ?? "")
            )
            _ = try route.checked()
            self = .settlement(route)
        }
    }
}

extension URLEncoded {
    /// Everything the form asks for, for its one-time key.
    fileprivate var command: String {
        pairs.filter { $0.name != "csrf" && $0.name != "key" }.map { "\($0.name)=\($0.value)" }.joined(separator: "\n")
    }
}

/// The form for a refund, checked.
package struct RefundRequestForm {
    package let command: RefundCommand
    package let reason: Reason
    /// For the one-time key.
    package let text: String

    /// - Throws: `OperationsError` with everything that is wrong with it.
    package init(_ form: URLEncoded, of order: RefundableOrder, at now: Date) throws {
        let currency = order.amount.currency
        var problems = FieldProblems()
        let kind = try problems.read { try Self.kind(form) }
        let shownLeft = try form.single("shown_left").flatMap { try? Money(decimalText: $0, currency: currency) }
        let amount = try problems.read { kind == .partial ? try Self.amount(form, in: currency) : Money?.none }
        // Of what was shown when more was left, another page tells.
        if let kind, let amount, shownLeft == nil || shownLeft == order.left {
            let moment = try Self.shownAt(form) ?? now
            _ = try problems.read {
                do throws(RefundRefused) {
                    _ = try order.amount(for: kind, chosen: amount, at: moment)
                } catch {
                    throw OperationsError(error)
                }
            }
        }
        let note = try form.single("note")?.trimmingCharacters(in: .whitespacesAndNewlines)
        if let note, !RefundCommand.noteLength.contains(note.count) {
            problems.add(FieldProblem("note", .tooLong(RefundCommand.noteLength.upperBound)))
        }
        let reason = try problems.read { try Reason(category: form["category"], text: form["reason"]) }
        guard let kind, let amount, let reason, problems.found.isEmpty else { throw problems.error }
        self.reason = reason
        command = RefundCommand(
            kind: kind,
            amount: amount,
            note: note,
            shownAt: try Self.shownAt(form),
            shownLeft: shownLeft
        )
        text = form.command
    }

    private static func shownAt(_ form: URLEncoded) throws -> Date? {
        let milliseconds = try form.single("shown_at").flatMap { Int64($0) }
        return milliseconds.map { Date(timeIntervalSince1970: Double($0) / 1_000) }
    }

    private static func kind(_ form: URLEncoded) throws -> Refund.Kind {
        let chosen = try form.single("kind") ?? ""
        guard let kind = Refund.Kind(rawValue: chosen) else {
            throw OperationsError(problems: [FieldProblem("kind", chosen.isEmpty ? .missing : .unknownChoice)])
        }
        return kind
    }

    private static func amount(_ form: URLEncoded, in currency: Currency) throws -> Money {
        let typed = form["amount"] ?? ""
        guard let amount = amount(typed, in: currency) else {
            let isMissing = typed.allSatisfy(\.isWhitespace)
            throw OperationsError(problems: [FieldProblem("amount", isMissing ? .missing : .notANumber)])
        }
        return amount
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
