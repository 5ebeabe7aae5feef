import Billing
import HTTP
package import Hummingbird
import Operations
import Storage
import Words

/// Keys to the admin API: which there are, and the end of one. Those who manage staff see everyone's.
package struct KeysController: Sendable {
    let backOffice: BackOffice

    /// `GET /dashboard/account/keys`, `GET /dashboard/staff/keys`
    package func index(_ scope: KeysPage.Scope) -> @Sendable (StaffRequest) async throws -> Response {
        { call in
            let call = call.taking()
            let tokens = try await backOffice.tokens(of: owner(scope, call))
            return .page(KeysPage(tokens: tokens, of: scope, viewer: call.viewer, now: backOffice.database.now))
        }
    }

    /// `GET /dashboard/account/keys/{id}`, `GET /dashboard/staff/keys/{id}`: the question whether to revoke it.
    package func ask(_ scope: KeysPage.Scope) -> @Sendable (StaffRequest) async throws -> Response {
        { call in .page(page(try await token(scope, call), scope, call, .empty)) }
    }

    /// `POST /dashboard/account/keys/{id}`, `POST /dashboard/staff/keys/{id}`: the reason.
    package func revoke(_ scope: KeysPage.Scope) -> @Sendable (StaffRequest) async throws -> Response {
        { call in
            let token = try await token(scope, call)
            do {
                let reason = try call.reason()
                let key = try call.key(for: reason.forAudit)
                let outcome = try await backOffice.revokeToken(
                    token.id,
                    of: owner(scope, call),
                    reason: reason,
                    key: key,
                    caller: call.caller
                )
                return call.done(outcome, see: scope.path)
            } catch let error as OperationsError where error.code == .invalid {
                let problems = FormField.problems(in: error, call.viewer.strings)
                return .page(page(token, scope, call, call.form, problems: problems), status: .unprocessableContent)
            } catch let error as OperationsError where error.code == .notFound {
                let trouble = ActionPage.Trouble(headline: call.viewer.strings.keysGone.description)
                return .page(page(token, scope, call, call.form, trouble: trouble), status: .conflict)
            }
        }
    }

    /// nil for everybody.
    private func owner(_ scope: KeysPage.Scope, _ call: StaffRequest) -> Staff.ID? {
        switch scope {
        case .own: call.session.staff
        case .everybody: nil
        }
    }

    private func token(_ scope: KeysPage.Scope, _ call: StaffRequest) async throws -> ListedToken {
        guard let id = StaffToken.ID(try call.parameter("id")),
            let token = try await backOffice.listedToken(id, of: owner(scope, call))
        else { throw WebError(.notFound, "There is no such key.") }
        return token
    }

    private func page(
        _ token: ListedToken,
        _ scope: KeysPage.Scope,
        _ call: StaffRequest,
        _ form: URLEncoded,
        problems: [String: String] = [:],
        trouble: ActionPage.Trouble? = nil
    ) -> ActionPage {
        let strings = call.viewer.strings
        let path = "\(scope.path)/\(token.id)"
        return ActionPage(
            frame: DashboardFrame(call.viewer, section: scope == .own ? .account : .staff, path: path),
            title: strings.keysQuestion(name: token.name),
            subtitle: strings.keysOf(email: token.email),
            back: ActionPage.Link(text: strings.keysTitle.description, href: scope.path),
            trouble: trouble,
            changes: [
                ActionPage.Change(
                    what: strings.keysWhat.description,
                    before: strings.keysBefore.description,
                    after: strings.keysAfter.description
                )
            ],
            facts: ActionPage.consequences(undo: strings.keysUndo, notified: strings.keysTold, strings),
            factsTitle: strings.accessGoodToKnow.description,
            fields: FormField.reason(category: form["category"], text: form["reason"], problems: problems, strings),
            hidden: [.newKey(SecretToken.random().description)],
            method: .post,
            action: path,
            submit: strings.keysSubmit.description,
            keep: ActionPage.Link(text: strings.keysKeep.description, href: scope.path),
            isDangerous: true
        )
    }
}
