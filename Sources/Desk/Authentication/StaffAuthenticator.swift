import Billing
import Foundation
package import HTTP
import HTTPTypes
package import Hummingbird
import Logging
package import Operations
package import Storage
import Words

/// A request of somebody who is signed in and may do what the route is for.
package struct StaffRequest: Sendable {
    package let request: Request
    package let context: WebRequestContext
    package let query: URLEncoded
    /// The fields of the form that was sent; empty unless the route takes one.
    package let form: URLEncoded
    package let token: SecretToken
    package let session: StaffSession
    package let app: StaffSession.ChosenApp
    package var viewer: Viewer
    package let caller: Caller
    package let cookies: SiteCookies
    /// True if the person proved within the last ten minutes who they are.
    package let isFresh: Bool

    package init(
        request: Request,
        context: WebRequestContext,
        query: URLEncoded,
        form: URLEncoded,
        token: SecretToken,
        session: StaffSession,
        app: StaffSession.ChosenApp,
        viewer: Viewer,
        caller: Caller,
        cookies: SiteCookies,
        isFresh: Bool
    ) {
        self.request = request
        self.context = context
        self.query = query
        self.form = form
        self.token = token
        self.session = session
        self.app = app
        self.viewer = viewer
        self.caller = caller
        self.cookies = cookies
        self.isFresh = isFresh
    }
}

/// Lets signed-in staff through to the dashboard.
package struct StaffAuthenticator: Sendable {
    package let backOffice: BackOffice
    package let cookies: SiteCookies
    package let origins: OriginCheck
    package let addresses: ClientAddress
    package let assets: AssetPaths
    private let requiredTwoFactor: Set<StaffRole>

    /// - Parameter requiredTwoFactor: the roles that can do nothing here before they have set up a second factor.
    package init(
        backOffice: BackOffice,
        cookies: SiteCookies,
        origins: OriginCheck,
        addresses: ClientAddress,
        assets: AssetPaths,
        requiredTwoFactor: Set<StaffRole> = []
    ) {
        self.backOffice = backOffice
        self.cookies = cookies
        self.origins = origins
        self.addresses = addresses
        self.assets = assets
        self.requiredTwoFactor = requiredTwoFactor
    }

    /// Returns true if somebody has to set up a second factor before they may go where they want to.
    package func holdsBack(_ session: StaffSession, from path: String) -> Bool {
        requiredTwoFactor.contains(session.role) && !session.hasTwoFactor
            && ![DashboardPath.twoFactor, DashboardPath.twoFactorCode, DashboardPath.identity, DashboardPath.signOut]
                .contains(path)
    }

    /// - Throws: `WebError` with `.unauthenticated` without a live session, `.forged` for a form that is not ours, and
    ///   `.forbidden` for what the role may not do, which is written to the audit log.
    package func enter(
        _ request: Request,
        _ context: WebRequestContext,
        needs permission: Permission?,
        takesForm: Bool,
        takesFiles: Bool = false
    ) async throws -> StaffRequest {
        guard let token = cookies.sessionToken(in: request), let session = try await backOffice.session(of: token)
        else {
            throw WebError(.unauthenticated, "Sign in first.")
        }
        let done = takesForm ? nil : try await done(by: session, request)
        let viewer = viewer(of: session, token, request, context, done: done)
        context.notes.note(viewer: viewer, actor: session.staff.description)
        guard let viewer, let app = session.app else {
            guard session.seesAllApps else { throw WebError(.forbidden, "None of the apps is yours to see.") }
            throw WebError(.unavailable, "There is no app yet. Apply a catalogue: perennial catalog apply.")
        }
        let form = takesForm ? try await ownForm(of: request, token, takesFiles) : .empty
        let caller = caller(of: request, context, session)
        if let permission, !session.may(permission) {
            try await backOffice.recordDenial(of: permission, at: request.uri.path, caller: caller)
            throw WebError(.forbidden, "The role \(session.role.rawValue) may not see or do this.")
        }
        await keepAlive(session, token, context)
        return StaffRequest(
            request: request,
            context: context,
            query: try request.query(),
            form: form,
            token: token,
            session: session,
            app: app,
            viewer: viewer,
            caller: caller,
            cookies: cookies,
            isFresh: session.isFresh(at: backOffice.database.now)
        )
    }

    /// Notes who asks where no route does, for the error page.
    package func recognise(_ request: Request, _ context: WebRequestContext) async {
        guard let token = cookies.sessionToken(in: request), let session = try? await backOffice.session(of: token)
        else { return }
        context.notes.note(viewer: viewer(of: session, token, request, context), actor: session.staff.description)
    }

    /// nil while there is no app.
    private func viewer(
        of session: StaffSession,
        _ token: SecretToken,
        _ request: Request,
        _ context: WebRequestContext,
        done: DoneAction? = nil
    ) -> Viewer? {
        var viewer = Viewer(
            session: session,
            browser: request.strings.language,
            csrfToken: FormToken.issue(for: token),
            done: done,
            assets: assets
        )
        viewer?.requestID = context.requestID
        viewer?.filling = backOffice.filling.percent
        viewer?.notice = request.cookie(cookies.done).flatMap { Viewer.Notice(rawValue: String($0)) }
        return viewer
    }

    /// Returns this person's last action, if the page that says so has not been shown yet.
    private func done(by session: StaffSession, _ request: Request) async throws -> DoneAction? {
        guard let entry = request.cookie(cookies.done).flatMap({ UUID(uuidString: String($0)) }) else { return nil }
        return try await backOffice.database.readPrimary { reader in
            try await reader.audit.action(of: entry, by: session.staff).map {
                DoneAction(auditEntry: entry, action: $0.action, object: $0.object)
            }
        }
    }

    private func ownForm(of request: Request, _ token: SecretToken, _ takesFiles: Bool) async throws -> URLEncoded {
        guard origins.isOwn(request) else { throw WebError(.forged, "This form was sent from another site.") }
        let form = takesFiles ? try await request.formWithFiles() : try await request.form()
        guard FormToken.accepts(try form.single("csrf"), for: token) else {
            throw WebError(.forged, "This form is not one of yours, or too old. Load the page again.")
        }
        return form
    }

    private func caller(of request: Request, _ context: WebRequestContext, _ session: StaffSession) -> Caller {
        Caller(
            .staff(session.staff),
            actor: session.email,
            role: session.role,
            address: addresses.of(request, peer: context.peer),
            requestID: context.requestID
        )
    }

    private func keepAlive(_ session: StaffSession, _ token: SecretToken, _ context: WebRequestContext) async {
        do {
            try await backOffice.keepAlive(session, token)
        } catch {
            context.logger.warning("a session could not be kept alive", metadata: ["error": "\(error)"])
        }
    }
}
