import API
import Desk
import HTTP
import HTTPTypes
import Hummingbird
import Operations
import Storage

/// The routes under construction: a route cannot be added without saying who may come.
struct RouteBuilder {
    let router = Router(context: WebRequestContext.self, options: [.autoGenerateHeadEndpoints])
    let map = RouteMap()
    let staffDoor: StaffAuthenticator
    private let tokenDoor: TokenAuthenticator
    private let customerDoor: CustomerAuthenticator
    private let appServerDoor: AppKeyAuthenticator
    private let limits: CallLimits
    private let sessions: SessionsController

    init(staff: StaffAuthenticator, tokens: TokenAuthenticator) {
        staffDoor = staff
        tokenDoor = tokens
        customerDoor = CustomerAuthenticator(backOffice: tokens.backOffice)
        appServerDoor = AppKeyAuthenticator(backOffice: tokens.backOffice, addresses: tokens.addresses)
        limits = CallLimits(
            limiter: tokens.backOffice.rateLimiter,
            apps: tokens.backOffice.apps,
            addresses: tokens.addresses
        )
        sessions = SessionsController(staff)
    }

    /// A route that checks for itself whom it answers.
    func add(
        _ method: HTTPRequest.Method,
        _ path: String,
        for access: RouteAccess,
        requiresReauthentication: Bool = false,
        use handler: @escaping @Sendable (Request, WebRequestContext) async throws -> Response
    ) {
        map.add(
            RouteEntry(method: method, path: path, access: access, requiresReauthentication: requiresReauthentication)
        )
        let changesStaff = method != .get && access.mayChangeStaff(at: path)
        router.on(RouterPath(path), method: method) { [remembered = staffDoor.backOffice.remembered] request, context in
            defer { if changesStaff { remembered.forget() } }
            return try await handler(request, context)
        }
    }

    /// A page or form for signed-in staff. A person whose session ended while they filled in a form signs in and goes on with it.
    ///
    /// - Parameters:
    ///   - permission: nil for what everybody who is signed in may do.
    ///   - requiresReauthentication: true if the person must have proved within the last ten minutes who they are (ASVS 7.5.3); a
    ///     person who did not is asked to, and then goes on with the form as it was filled.
    ///   - takesFiles: true if the form sends files. Such a form is not kept for a person who has to sign in or prove who they
    ///     are first: it may hold a secret.
    func staff(
        _ method: HTTPRequest.Method,
        _ path: String,
        needs permission: Permission?,
        requiresReauthentication: Bool = false,
        takesFiles: Bool = false,
        use handler: @escaping @Sendable (StaffRequest) async throws -> Response
    ) {
        let takesForm = method != .get
        let access = permission.map(RouteAccess.staff) ?? .signedIn
        add(method, path, for: access, requiresReauthentication: requiresReauthentication) {
            [staffDoor, sessions] request, context in
            let call: StaffRequest
            do {
                call = try await staffDoor.enter(
                    request,
                    context,
                    needs: permission,
                    takesForm: takesForm,
                    takesFiles: takesFiles
                )
            } catch let error as WebError where error.code == .unauthenticated && takesForm && !takesFiles {
                guard let answer = await sessions.signInFirst(request, context) else { throw error }
                return answer
            }
            guard !staffDoor.holdsBack(call.session, from: request.uri.path) else {
                return .seeOther(DashboardPath.twoFactor)
            }
            try call.query.requireNameableDays()
            try call.form.requireNameableDays()
            if requiresReauthentication, !call.isFresh {
                // A file would stand in the page that asks; its form is opened and filled in again.
                guard !takesFiles else { return call.confirmIdentity(before: request.uri.path) }
                return try await call.confirmIdentity(staffDoor.backOffice)
            }
            var response: Response
            do {
                response = try await staffDoor.backOffice.database.answering(call.session.staff) {
                    try await handler(call)
                }
            } catch is LostPage {
                return call.startOver(at: call.firstPagePath)
            }
            if call.viewer.hasFlash, response.status != .seeOther {
                response.addCookie(call.cookies.remove(call.cookies.done))
            }
            return response
        }
    }

    /// An operation of the customer API.
    ///
    /// - Parameters:
    ///   - withUsage: true if the answer needs the customer's usage: it is read in one round trip with the session.
    ///   - answerOnceMore: answers a call whose token was good for this once; nil where it was not.
    func customer(
        _ method: HTTPRequest.Method,
        _ path: String,
        _ operation: APIOperation,
        withUsage: Bool = false,
        orElse answerOnceMore: (@Sendable (Request) async throws -> Response?)? = nil,
        use handler: @escaping @Sendable (CustomerRequest) async throws -> Response
    ) {
        map.describe(operation, method: method, path: path, for: .customer)
        add(method, path, for: .customer) { [customerDoor, limits] request, context in
            try await limits.count(request, context)
            let call: CustomerRequest
            do {
                call = try await customerDoor.enter(request, context, withUsage: withUsage, counting: limits)
            } catch let error as WebError where error.code == .unauthenticated {
                guard let answer = try await answerOnceMore?(request) else { throw error }
                return answer
            }
            try await limits.count([.session(call.session.id), .customer(call.customer)], of: call.app, context)
            try ListParameters(call.query).require(only: operation)
            do {
                return try await handler(call)
            } catch {
                throw await call.naming(error, customerDoor.backOffice.catalogs)
            }
        }
    }

    /// An operation for apps' own servers.
    func appServer(
        _ method: HTTPRequest.Method,
        _ path: String,
        needs scope: AppKeyScope,
        _ operation: APIOperation,
        use handler: @escaping @Sendable (AppServerRequest) async throws -> Response
    ) {
        map.describe(operation, method: method, path: path, for: .appServer(scope))
        add(method, path, for: .appServer(scope)) { [appServerDoor, limits] request, context in
            try await limits.count(request, context)
            let call = try await appServerDoor.enter(request, context, needs: scope)
            try await limits.count([.key(call.key.id)], of: call.app, context)
            try ListParameters(call.query).require(only: operation)
            return try await handler(call)
        }
    }

    /// An operation of the customer API that needs no token. One that changes something signs somebody in, and counts as that.
    func open(
        _ method: HTTPRequest.Method,
        _ path: String,
        _ operation: APIOperation,
        use handler: @escaping @Sendable (Request, WebRequestContext) async throws -> Response
    ) {
        map.describe(operation, method: method, path: path, for: .open)
        add(method, path, for: .open) { [limits] request, context in
            try await limits.count(request, context, signsIn: method != .get)
            try ListParameters(try request.query()).require(only: operation)
            return try await handler(request, context)
        }
    }

    /// A page for everybody, counted by the address that asks: it has the database or a store asked.
    func counted(
        _ method: HTTPRequest.Method,
        _ path: String,
        use handler: @escaping @Sendable (Request, WebRequestContext) async throws -> Response
    ) {
        add(method, path, for: .open) { [limits] request, context in
            try await limits.count(request, context)
            return try await handler(request, context)
        }
    }

    /// An operation of the customer API that answers everybody, and a customer with what is theirs.
    ///
    /// - Parameter handler: its last argument is nil for a call without a token.
    func visitor(
        _ method: HTTPRequest.Method,
        _ path: String,
        _ operation: APIOperation,
        use handler: @escaping @Sendable (Request, WebRequestContext, CustomerRequest?) async throws -> Response
    ) {
        map.describe(operation, method: method, path: path, for: .open)
        add(method, path, for: .open) { [customerDoor, limits] request, context in
            try await limits.count(request, context)
            let call =
                request.bearerToken == nil ? nil : try await customerDoor.enter(request, context, counting: limits)
            if let call {
                try await limits.count([.session(call.session.id), .customer(call.customer)], of: call.app, context)
            }
            try ListParameters(try request.query()).require(only: operation)
            return try await handler(request, context, call)
        }
    }

    /// An operation of the admin API.
    func token(
        _ method: HTTPRequest.Method,
        _ path: String,
        needs permission: Permission,
        _ operation: APIOperation,
        use handler: @escaping @Sendable (APIRequest) async throws -> Response
    ) {
        map.describe(operation, method: method, path: path, for: .token(permission))
        add(method, path, for: .token(permission)) { [tokenDoor] request, context in
            let call = try await tokenDoor.enter(request, context, needs: permission)
            try ListParameters(call.query).require(only: operation)
            return try await tokenDoor.backOffice.database.answering(call.token.staff) { try await handler(call) }
        }
    }
}
