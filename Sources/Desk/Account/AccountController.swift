import Billing
import Foundation
import HTTP
import HTTPTypes
package import Hummingbird
import Operations
import Storage
import Words

/// One's own account: password, second factor, sessions.
package struct AccountController: Sendable {
    let backOffice: BackOffice

    /// `GET /dashboard/account`
    @Sendable package func show(_ call: StaffRequest) async throws -> Response {
        .page(try await page(call.taking()))
    }

    /// `POST /dashboard/account/password`: `old` and `password`.
    @Sendable package func changePassword(_ call: StaffRequest) async throws -> Response {
        let old = try call.form.single("old") ?? ""
        do {
            let renewed = try await backOffice.changeOwnPassword(
                of: call.session,
                call.token,
                from: old,
                to: try call.form.single("password") ?? "",
                tokens: try TokensAtReset(call.form),
                on: call.cookies.deviceToken(in: call.request),
                caller: call.caller
            )
            let response = call.done(renewed.auditEntry, see: DashboardPath.account)
            return call.renewing(response, renewed.token, backOffice)
        } catch let error as OperationsError where error.code == .invalid {
            let strings = call.viewer.strings
            let isOld = error.field == "old"
            let rule = error.isGuessable ? strings.fieldsGuessable : strings.accountPasswordRule
            let text = isOld ? strings.accountPasswordWrong : rule
            var problems = [isOld ? "old" : "password": text.description]
            if old.isEmpty { problems["old"] = strings.fieldsMissingPassword.description }
            return .page(try await page(call, problems: problems), status: .unprocessableContent)
        } catch let error as OperationsError where error.code == .blocked {
            return .page(try await page(call, trouble: wait(error, call)), status: .tooManyRequests)
        }
    }

    /// `POST /dashboard/account/ended-sessions`: `session`, an id or `others`.
    @Sendable package func endSessions(_ call: StaffRequest) async throws -> Response {
        let text = try call.form.single("session") ?? ""
        if text == "others" {
            let entry = try await backOffice.endOtherSessions(
                of: call.session,
                on: call.cookies.deviceToken(in: call.request),
                caller: call.caller
            )
            return call.done(entry, see: DashboardPath.account)
        }
        guard let id = StaffSession.ID(text) else {
            throw WebError(.invalid, "Which session?", field: "session")
        }
        let entry = try await backOffice.endOwnSession(id, of: call.session.staff, caller: call.caller)
        guard let entry else { return .seeOther(DashboardPath.account) }
        return call.done(entry, see: DashboardPath.account)
    }

    /// `GET /dashboard/account/two-factor`
    @Sendable package func twoFactor(_ call: StaffRequest) async throws -> Response {
        .page(try await twoFactorPage(call.taking()))
    }

    /// `POST /dashboard/account/two-factor`
    @Sendable package func beginTwoFactor(_ call: StaffRequest) async throws -> Response {
        try await backOffice.beginTwoFactor(of: call.session.staff, caller: call.caller)
        return .seeOther(DashboardPath.twoFactor)
    }

    /// `POST /dashboard/account/two-factor/code`
    @Sendable package func confirmTwoFactor(_ call: StaffRequest) async throws -> Response {
        guard try call.form.single("code")?.contains(where: { !$0.isWhitespace }) ?? false else {
            let problem = call.viewer.strings.fieldsMissingCode.description
            return .page(try await twoFactorPage(call, problem: problem), status: .unprocessableContent)
        }
        do {
            let codes = try await backOffice.confirmTwoFactor(
                of: call.session.staff,
                code: try call.form.single("code") ?? "",
                in: call.session.id,
                on: call.cookies.deviceToken(in: call.request),
                caller: call.caller
            )
            return .page(RecoveryCodesPage(codes: codes.map(\.description), viewer: call.viewer))
        } catch let error as OperationsError where error.code == .invalid {
            let problem = call.viewer.strings.accountFactorWrong.description
            return .page(try await twoFactorPage(call, problem: problem), status: .unprocessableContent)
        } catch let error as OperationsError where error.code == .blocked {
            return .page(try await twoFactorPage(call, problem: wait(error, call)), status: .tooManyRequests)
        }
    }

    /// `POST /dashboard/account/recovery-codes`
    @Sendable package func renewRecoveryCodes(_ call: StaffRequest) async throws -> Response {
        let codes = try await backOffice.renewRecoveryCodes(of: call.session.staff, caller: call.caller)
        return .page(RecoveryCodesPage(codes: codes.map(\.description), viewer: call.viewer))
    }

    /// `GET /dashboard/account/two-factor/removal`
    @Sendable package func newRemoval(_ call: StaffRequest) async throws -> Response {
        .page(removalPage(call.taking()))
    }

    /// `POST /dashboard/account/two-factor/removal`: `password` and `code`.
    @Sendable package func createRemoval(_ call: StaffRequest) async throws -> Response {
        let strings = call.viewer.strings
        let missing = try ["password", "code"].filter { try call.form.single($0)?.isEmpty ?? true }
            .map { FieldProblem($0, .missing) }
        guard missing.isEmpty else {
            let problems = FormField.problems(in: OperationsError(problems: missing), strings)
            return .page(removalPage(call, problems: problems), status: .unprocessableContent)
        }
        do {
            let entry = try await backOffice.removeTwoFactor(
                of: call.session.staff,
                password: try call.form.single("password") ?? "",
                code: try call.form.single("code") ?? "",
                caller: call.caller
            )
            return call.done(entry, see: DashboardPath.account)
        } catch let error as OperationsError where error.code == .invalid {
            let problems = ["code": call.viewer.strings.accountFactorTurnOffWrong.description]
            return .page(removalPage(call, problems: problems), status: .unprocessableContent)
        } catch let error as OperationsError where error.code == .blocked {
            let trouble = ActionPage.Trouble.blocked(error, call.viewer.strings)
            return .page(removalPage(call, trouble: trouble), status: .tooManyRequests)
        }
    }

    private func wait(_ error: OperationsError, _ call: StaffRequest) -> String {
        call.viewer.strings.accountCodeWait(count: max(1, ((error.retryAfter ?? 60) + 59) / 60))
    }

    private func page(
        _ call: StaffRequest,
        problems: [String: String] = [:],
        trouble: String? = nil
    ) async throws -> AccountPage {
        AccountPage(
            email: call.session.email,
            apps: call.session.seesAllApps ? nil : call.session.apps.map(\.name),
            sessions: try await backOffice.sessions(of: call.session.staff),
            current: call.session.id,
            twoFactor: try await backOffice.twoFactor(of: call.session.staff),
            keys: try await backOffice.liveTokens(of: call.session.staff),
            problems: problems,
            trouble: trouble,
            viewer: call.viewer,
            now: backOffice.database.now
        )
    }

    private func twoFactorPage(_ call: StaffRequest, problem: String? = nil) async throws -> TwoFactorPage {
        TwoFactorPage(
            email: call.session.email,
            setting: try await backOffice.twoFactor(of: call.session.staff),
            problem: problem,
            viewer: call.viewer
        )
    }

    private func removalPage(
        _ call: StaffRequest,
        problems: [String: String] = [:],
        trouble: ActionPage.Trouble? = nil
    ) -> ActionPage {
        let strings = call.viewer.strings
        return ActionPage(
            frame: DashboardFrame(call.viewer, section: .account, path: DashboardPath.twoFactorRemoval),
            title: strings.accountFactorTurnOffTitle.description,
            back: ActionPage.Link(text: strings.accountFactor.description, href: DashboardPath.twoFactor),
            trouble: trouble,
            changes: [
                ActionPage.Change(
                    what: strings.accountFactorAsks.description,
                    before: strings.accountFactorBoth.description,
                    after: strings.accountFactorOne.description
                )
            ],
            facts: ActionPage.consequences(undo: strings.accountFactorUndo, notified: strings.staffToldNobody, strings),
            factsTitle: strings.accessGoodToKnow.description,
            fields: [
                FormField(
                    "password",
                    strings.accountPassword.description,
                    .password(autocomplete: "current-password"),
                    problem: problems["password"]
                ),
                FormField(
                    "code",
                    strings.accountCode.description,
                    hint: strings.accountCodeHint.description,
                    .code,
                    problem: problems["code"]
                ),
            ],
            method: .post,
            action: DashboardPath.twoFactorRemoval,
            submit: strings.accountFactorTurnOffLink.description,
            keep: ActionPage.Link(text: strings.accountFactorKeep.description, href: DashboardPath.twoFactor),
            isDangerous: true
        )
    }
}
