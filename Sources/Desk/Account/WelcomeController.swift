package import HTTP
import HTTPTypes
package import Hummingbird
package import Operations
import Storage
import Words

/// Setting a password with a one-time link.
package struct WelcomeController: Sendable {
    let backOffice: BackOffice
    let cookies: SiteCookies
    let origins: OriginCheck
    let addresses: ClientAddress
    let assets: AssetPaths

    /// `GET /dashboard/welcome/{token}`
    @Sendable package func new(_ request: Request, _ context: WebRequestContext) async throws -> Response {
        guard let (token, link) = try await link(context) else { return over(request) }
        return try await page(request, context, link, token)
    }

    /// `POST /dashboard/welcome/{token}`: `password`. The link needs no other proof, and no cookie.
    @Sendable package func create(_ request: Request, _ context: WebRequestContext) async throws -> Response {
        guard let (token, link) = try await link(context) else { return over(request) }
        let form = try await request.form()
        guard origins.isOwn(request), FormToken.accepts(try form.single("csrf"), for: token) else {
            return try await page(
                request,
                context,
                link,
                token,
                problem: request.strings.accountWelcomeStale,
                .forbidden
            )
        }
        do {
            let caller = Caller(
                .stranger(claiming: nil),
                actor: link.email,
                address: addresses.of(request, peer: context.peer),
                requestID: context.requestID
            )
            let device = SignInDevice(known: cookies.deviceToken(in: request))
            try await backOffice.setPassword(
                by: token,
                to: try form.single("password") ?? "",
                tokens: try TokensAtReset(form),
                device: device,
                caller: caller
            )
            var response = Response.seeOther(DashboardPath.signIn)
            response.addCookie(cookies.keep(device))
            return response
        } catch let error as OperationsError where error.code == .invalid {
            let strings = request.strings
            let rule = error.isGuessable ? strings.fieldsGuessable : strings.accountWelcomeRule
            return try await page(request, context, link, token, problem: rule, .unprocessableContent)
        } catch let error as OperationsError where error.code == .notFound {
            return over(request)
        }
    }

    private func link(_ context: WebRequestContext) async throws -> (SecretToken, PasswordSetupToken)? {
        guard let token = SecretToken(try context.parameters.require("token")) else { return nil }
        return try await backOffice.link(of: token).map { (token, $0) }
    }

    private func over(_ request: Request) -> Response {
        .page(
            WelcomePage(link: nil, strings: request.strings, theme: theme(request), assets: assets),
            status: .notFound
        )
    }

    private func page(
        _ request: Request,
        _ context: WebRequestContext,
        _ link: PasswordSetupToken,
        _ token: SecretToken,
        problem: StaticString? = nil,
        _ status: HTTPResponse.Status = .ok
    ) async throws -> Response {
        let keys = try await backOffice.liveTokens(of: link.staff)
        let open = WelcomePage.Link(
            action: "\(DashboardPath.welcome)/\(token)",
            csrfToken: FormToken.issue(for: token),
            email: link.email,
            name: link.name,
            isInvitation: link.isInvitation,
            leavesKeys: keys > 0 ? request.strings.keysLeave(count: keys) : nil
        )
        return .page(
            WelcomePage(
                link: open,
                strings: request.strings,
                problem: problem?.description,
                theme: theme(request),
                assets: assets,
                requestID: context.requestID
            ),
            status: status
        )
    }

    private func theme(_ request: Request) -> StaffTheme {
        request.cookie(SiteCookies.theme).flatMap { StaffTheme(rawValue: String($0)) } ?? .system
    }
}

extension TokensAtReset {
    /// As a form with a new password says it: keys are left as they are where that is ticked, and not by leaving it
    /// out.
    package init(_ form: URLEncoded) throws(WebError) {
        self = try form.single("keep-keys") == "yes" ? .kept : .revoked
    }
}
