import Billing
import Foundation
package import HTTP
import HTTPTypes
package import Hummingbird
import Operations
import Storage
import Words

/// Signing in and out.
package struct SessionsController: Sendable {
    let backOffice: BackOffice
    let cookies: SiteCookies
    let origins: OriginCheck
    let addresses: ClientAddress
    let assets: AssetPaths

    package init(_ door: StaffAuthenticator) {
        (backOffice, cookies, origins) = (door.backOffice, door.cookies, door.origins)
        (addresses, assets) = (door.addresses, door.assets)
    }

    /// `GET /dashboard/sign-in`
    @Sendable package func new(_ request: Request, _ context: WebRequestContext) async throws -> Response {
        let next = DashboardPath.safe(try request.query()["next"])
        if let token = cookies.sessionToken(in: request), try await backOffice.session(of: token) != nil {
            return .seeOther(next ?? DashboardPath.home)
        }
        return page(for: request, context, SignInForm(next: next))
    }

    /// Signs the user in again and keeps the form they had filled.
    ///
    /// nil for what is not to be kept: another site's form or one of who knows where, none, or one with a password in it.
    package func signInFirst(_ request: Request, _ context: WebRequestContext) async -> Response? {
        guard origins.isKnownToBeOwn(request), request.uri.path != DashboardPath.signOut,
            let sent = try? await request.form(),
            sent.pairs.contains(where: { $0.name != "csrf" }),
            !sent.pairs.contains(where: { ["password", "old", "new", "code"].contains($0.name) })
        else { return nil }
        let interrupted = InterruptedRequest(path: request.target, form: sent)
        var form = SignInForm(next: interrupted.path)
        form.kept = interrupted.form
        return refused(page(for: request, context, form, problem: .ended, status: .unauthorized))
    }

    /// `POST /dashboard/sign-in`
    @Sendable package func create(_ request: Request, _ context: WebRequestContext) async throws -> Response {
        let form = try SignInForm(await request.form())
        guard origins.isOwn(request), let visitor = cookies.visitorToken(in: request),
            FormToken.accepts(form.csrf, for: visitor)
        else { return page(for: request, context, form, problem: .expired, status: .forbidden) }
        guard form.isComplete else {
            let problem = SignInProblem.missing(email: form.email.isEmpty, password: form.password.isEmpty)
            return page(for: request, context, form, problem: problem, status: .unprocessableContent)
        }
        let device = SignInDevice(known: cookies.deviceToken(in: request))
        let outcome = try await backOffice.signIn(
            email: form.email,
            password: form.password,
            replacing: cookies.sessionToken(in: request),
            device: device,
            caller: caller(of: request, context)
        )
        switch outcome {
        case .signedIn(let token): return signedIn(token, on: device, to: form.next, kept: form.kept, request)
        case .mfaRequired(let half):
            let next = form.next.map { "?next=\(DashboardPath.encoded($0))" } ?? ""
            var response =
                form.kept == nil
                ? Response.seeOther(DashboardPath.signInCode + next)
                : codePage(for: request, context, form.next, half, kept: form.kept)
            response.addCookie(cookies.set(cookies.half, half.description, maxAge: 600))
            return response
        case .wrong: return refused(page(for: request, context, form, problem: .wrong, status: .unauthorized))
        case .blocked(let until): return blocked(request, context, form, until)
        }
    }

    /// `GET /dashboard/sign-in/code`
    @Sendable package func newCode(_ request: Request, _ context: WebRequestContext) async throws -> Response {
        let next = DashboardPath.safe(try request.query()["next"])
        guard let half = cookies.mfaToken(in: request), try await backOffice.mfaRequired(half) else {
            return .seeOther(
                next.map { "\(DashboardPath.signIn)?next=\(DashboardPath.encoded($0))" } ?? DashboardPath.signIn
            )
        }
        return codePage(for: request, context, next, half)
    }

    /// `POST /dashboard/sign-in/code`
    @Sendable package func createCode(_ request: Request, _ context: WebRequestContext) async throws -> Response {
        let form = try await request.form()
        let (next, kept) = (DashboardPath.safe(try form.single("next")), try form.single("kept"))
        guard let half = cookies.mfaToken(in: request) else { return .seeOther(DashboardPath.signIn) }
        guard origins.isOwn(request), FormToken.accepts(try form.single("csrf"), for: half) else {
            return codePage(for: request, context, next, half, kept: kept, problem: .expired, status: .forbidden)
        }
        let code = try form.single("code") ?? ""
        // An empty code is no try.
        guard code.contains(where: { !$0.isWhitespace }) else {
            let problem = SignInProblem.missing(email: false, password: true)
            return codePage(
                for: request,
                context,
                next,
                half,
                kept: kept,
                problem: problem,
                status: .unprocessableContent
            )
        }
        let device = SignInDevice(known: cookies.deviceToken(in: request))
        let outcome = try await backOffice.finishSignIn(
            half,
            code: code,
            replacing: cookies.sessionToken(in: request),
            device: device,
            caller: caller(of: request, context)
        )
        switch outcome {
        case .signedIn(let token):
            var response = signedIn(token, on: device, to: next, kept: kept, request)
            response.addCookie(cookies.remove(cookies.half))
            return response
        case .wrong:
            return refused(
                codePage(for: request, context, next, half, kept: kept, problem: .wrong, status: .unauthorized)
            )
        case .blocked(let until):
            let seconds = max(1, Int(bounding: until.timeIntervalSince(backOffice.database.now).rounded(.up)))
            var response = codePage(
                for: request,
                context,
                next,
                half,
                kept: kept,
                problem: .blocked(seconds: seconds),
                status: .tooManyRequests
            )
            response.headers[.retryAfter] = String(seconds)
            return response
        case .expired:
            var response = Response.seeOther(DashboardPath.signIn)
            response.addCookie(cookies.remove(cookies.half))
            return response
        }
    }

    private func codePage(
        for request: Request,
        _ context: WebRequestContext,
        _ next: String?,
        _ half: SecretToken,
        kept: String? = nil,
        problem: SignInProblem? = nil,
        status: HTTPResponse.Status = .ok
    ) -> Response {
        .page(
            MFAPage(
                csrfToken: FormToken.issue(for: half),
                strings: request.strings,
                next: next,
                kept: kept,
                problem: problem,
                theme: theme(of: request),
                assets: assets,
                requestID: context.requestID
            ),
            status: status
        )
    }

    /// `POST /dashboard/sign-out`
    @Sendable package func delete(_ call: StaffRequest) async throws -> Response {
        try await backOffice.signOut(call.token, caller: call.caller)
        var response = Response.seeOther(DashboardPath.signIn)
        response.addCookie(cookies.remove(cookies.session))
        return response
    }

    /// To the page that was asked for, or to a button that sends the kept form: a new session token wants a new form token.
    private func signedIn(
        _ token: SecretToken,
        on device: SignInDevice,
        to next: String?,
        kept: String?,
        _ request: Request
    ) -> Response {
        var response: Response
        if let next, let kept, let form = try? URLEncoded(kept) {
            response = .page(
                ResumeFormPage(
                    strings: request.strings,
                    csrfToken: FormToken.issue(for: token),
                    action: next,
                    fields: form.pairs,
                    theme: theme(of: request),
                    assets: assets
                )
            )
        } else {
            response = .seeOther(next ?? DashboardPath.home)
        }
        response.addCookie(
            cookies.set(cookies.session, token.description, maxAge: Int(backOffice.sessionLimits.absolute))
        )
        response.addCookie(cookies.keep(device))
        response.addCookie(cookies.remove(cookies.visitor))
        return response
    }

    /// RFC 9110 wants a challenge with 401; browsers show the page, as they do not know this scheme.
    private func refused(_ page: Response) -> Response {
        var response = page
        response.headers[.wwwAuthenticate] = "Form realm=\"perennial\""
        return response
    }

    private func blocked(
        _ request: Request,
        _ context: WebRequestContext,
        _ form: SignInForm,
        _ until: Date
    ) -> Response {
        let seconds = max(1, Int(bounding: until.timeIntervalSince(backOffice.database.now).rounded(.up)))
        var response = page(for: request, context, form, problem: .blocked(seconds: seconds), status: .tooManyRequests)
        response.headers[.retryAfter] = String(seconds)
        return response
    }

    /// The sign-in page, with the visitor's cookie where the browser has none yet.
    private func page(
        for request: Request,
        _ context: WebRequestContext,
        _ form: SignInForm,
        problem: SignInProblem? = nil,
        status: HTTPResponse.Status = .ok
    ) -> Response {
        let known = cookies.visitorToken(in: request)
        let visitor = known ?? .random()
        var response = Response.page(
            SignInPage(
                strings: request.strings,
                csrfToken: FormToken.issue(for: visitor),
                email: form.email,
                next: form.next,
                kept: form.kept,
                problem: problem,
                filling: backOffice.filling.percent,
                theme: theme(of: request),
                assets: assets,
                requestID: context.requestID
            ),
            status: status
        )
        if known == nil { response.addCookie(cookies.set(cookies.visitor, visitor.description)) }
        return response
    }

    private func theme(of request: Request) -> StaffTheme {
        request.cookie(SiteCookies.theme).flatMap { StaffTheme(rawValue: String($0)) } ?? .system
    }

    private func caller(of request: Request, _ context: WebRequestContext) -> Caller {
        Caller(
            .stranger(claiming: nil),
            actor: "",
            address: addresses.of(request, peer: context.peer),
            userAgent: request.headers[.userAgent].map { String($0.prefix(200)) },
            requestID: context.requestID
        )
    }
}

/// The fields of the sign-in page.
private struct SignInForm {
    var csrf: String?
    var email = ""
    var password = ""
    var next: String?
    /// The form that was sent when the session had ended.
    var kept: String?

    init(next: String?) {
        self.next = next
    }

    init(_ form: URLEncoded) throws(WebError) {
        csrf = try form.single("csrf")
        email = try form.single("email") ?? ""
        password = try form.single("password") ?? ""
        next = DashboardPath.safe(try form.single("next"))
        kept = try form.single("kept")
    }

    var isComplete: Bool { !email.isEmpty && !password.isEmpty }
}
