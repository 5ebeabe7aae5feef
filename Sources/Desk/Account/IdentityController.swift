import HTTP
import HTTPTypes
package import Hummingbird
import Operations
import Storage
import Words

/// Proving once more who one is, before what is sensitive.
package struct IdentityController: Sendable {
    let backOffice: BackOffice

    /// `GET /dashboard/identity`
    @Sendable package func new(_ call: StaffRequest) async throws -> Response {
        let call = call.taking("next")
        let next = DashboardPath.safe(call.query["next"]) ?? DashboardPath.home
        return .page(try await call.identityPage(InterruptedRequest(path: next, form: nil), backOffice))
    }

    /// `POST /dashboard/identity`: `password` or `code`, and what was interrupted.
    @Sendable package func create(_ call: StaffRequest) async throws -> Response {
        let interrupted = try InterruptedRequest(call.form)
        let (password, code) = (try call.form.single("password") ?? "", try call.form.single("code") ?? "")
        guard !password.isEmpty || !code.isEmpty else {
            return .page(
                try await call.identityPage(
                    interrupted,
                    backOffice,
                    problems: ["password": call.viewer.strings.accountIdentityMissing.description]
                ),
                status: .unprocessableContent
            )
        }
        let token: SecretToken
        do {
            token = try await backOffice.confirmIdentity(
                of: call.session,
                call.token,
                password: password.isEmpty ? nil : password,
                code: code,
                caller: call.caller
            )
        } catch let error as OperationsError where [.invalid, .blocked].contains(error.code) {
            return try await refused(call, interrupted, error)
        }
        return call.renewing(goOn(call, interrupted, token), token, backOffice)
    }

    private func refused(
        _ call: StaffRequest,
        _ interrupted: InterruptedRequest,
        _ error: OperationsError
    ) async throws -> Response {
        let (isBlocked, strings) = (error.code == .blocked, call.viewer.strings)
        let page = try await call.identityPage(
            interrupted,
            backOffice,
            problems: FormField.problems(in: error, strings).mapValues { _ in strings.accountIdentityWrong.description
            },
            trouble: isBlocked ? .blocked(error, strings) : nil
        )
        var response = Response.page(page, status: isBlocked ? .tooManyRequests : .unprocessableContent)
        if let seconds = error.retryAfter { response.headers[.retryAfter] = String(seconds) }
        return response
    }

    /// To the page that was asked for, or to a button that sends the kept form: a new session token wants a new form token.
    private func goOn(_ call: StaffRequest, _ interrupted: InterruptedRequest, _ token: SecretToken) -> Response {
        guard let text = interrupted.form, let kept = try? URLEncoded(text) else { return .seeOther(interrupted.path) }
        var viewer = call.viewer
        viewer.csrfToken = FormToken.issue(for: token)
        let strings = viewer.strings
        return .page(
            ActionPage(
                frame: DashboardFrame(viewer, section: .none, path: DashboardPath.identity),
                title: strings.accountGoOnTitle.description,
                subtitle: strings.accountGoOnWhy.description,
                back: ActionPage.Link(text: strings.accountIdentityOrders.description, href: DashboardPath.orders),
                fields: [],
                hidden: kept.pairs.map { ActionPage.Hidden(name: $0.name, value: $0.value) },
                method: .post,
                action: interrupted.path,
                submit: strings.accountGoOnSubmit.description,
                keep: ActionPage.Link(text: strings.accountIdentityLeave.description, href: DashboardPath.home)
            )
        )
    }
}

extension ActionPage.Trouble {
    /// Too many wrong passwords or codes.
    package static func blocked(_ error: OperationsError, _ strings: Strings) -> Self {
        let minutes = max(1, ((error.retryAfter ?? 60) + 59) / 60)
        return Self(
            headline: strings.accountCodeBlockedHeadline.description,
            text: strings.accountCodeWait(count: minutes)
        )
    }
}
