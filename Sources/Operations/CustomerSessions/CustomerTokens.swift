package import Billing
package import Foundation
package import Storage

/// A customer's new tokens: the only moment at which their texts are known.
package struct CustomerTokens: Sendable {
    package let app: App.ID
    package let customer: Customer.ID
    package let accessToken: Secret
    package let expiresAt: Date
    /// nil for a minted token.
    package let refreshToken: Secret?
}

extension BackOffice {
    /// The prefix of a refresh token, so that scanners for leaked secrets find it.
    package static let refreshTokenPrefix = "prt_"
    /// The lifetime of a refresh token, in seconds.
    package static let refreshLifetime: TimeInterval = 7 * 86_400

    /// Makes an access token for a customer whom the app's own server, or the operator, vouches for. A customer who is named for the
    /// first time is made.
    ///
    /// - Parameters:
    ///   - lifetime: in seconds, a day at most.
    /// - Throws: `OperationsError`: `.invalid` for a name that cannot be kept, by the field `customerId`; `.misconfigured` where no
    ///   secret can be sealed.
    package func mintToken(
        for identity: CustomerIdentity,
        of app: App.ID,
        lifetime: TimeInterval = AccessTokens.lifetime,
        caller: Caller
    ) async throws -> CustomerTokens {
        guard let slug = try await apps.entry(for: app)?.record.slug else {
            throw OperationsError(.notFound, "There is no such app.", field: "app")
        }
        let problems = PurchaseRequest.problems(ofExternalID: identity.externalID)
        guard problems.isEmpty else { throw OperationsError(problems: problems) }
        let lifetime = min(max(1, lifetime), AccessTokens.lifetime)
        let (session, customer, start) = try await database.write { transaction in
            let customer = try await transaction.identify(identity, of: app)
            let session = try await transaction.customerSessions.begin(
                .minted,
                for: customer,
                of: app,
                until: transaction.now.addingTimeInterval(lifetime)
            )
            if case .commandLine = caller.kind {
                try await transaction.audit.append(
                    caller.entry(
                        .issueCustomerToken,
                        on: "customer",
                        customer.description,
                        app: app,
                        customer: customer
                    )
                )
            }
            return (session, customer, transaction.now)
        }
        let end = start.addingTimeInterval(lifetime)
        let claims = AccessTokenClaims(app: slug, customer: customer, session: session, from: start, until: end)
        return CustomerTokens(
            app: app,
            customer: customer,
            accessToken: try await accessTokens.sign(claims.json),
            expiresAt: end,
            refreshToken: nil
        )
    }

    /// Begins a session of a customer who has signed in.
    package func beginSession(
        by method: CustomerSession.Method,
        for customer: Customer.ID,
        of app: App.ID
    ) async throws -> CustomerTokens {
        guard let slug = try await apps.entry(for: app)?.record.slug else {
            throw OperationsError(.notFound, "There is no such app.", field: "app")
        }
        let refresh = SecretToken.random()
        let (session, start) = try await database.write { transaction in
            (try await begin(method, refresh, for: customer, of: app, in: transaction), transaction.now)
        }
        return try await pair(refresh, of: session, app, slug, customer, from: start)
    }

    /// Begins a session in a transaction, with its first refresh token.
    func begin(
        _ method: CustomerSession.Method,
        _ refresh: SecretToken,
        for customer: Customer.ID,
        of app: App.ID,
        in transaction: WriteTransaction
    ) async throws -> CustomerSession.ID {
        let end = transaction.now.addingTimeInterval(Self.refreshLifetime)
        let session = try await transaction.customerSessions.begin(method, for: customer, of: app, until: end)
        try await transaction.customerSessions.issue(
            refreshToken: refresh.hash,
            for: session,
            replacing: nil,
            until: end
        )
        return session
    }

    /// Makes a new pair of a refresh token. One whose answer was lost on the way, or that was sent twice at once, may be sent again;
    /// once a successor of it was used, whoever sends it, or another successor, ends the session.
    ///
    /// - Throws: `OperationsError` with `.notAuthentic`: `tokenInvalid` for one that nobody was given, `tokenExpired` for one that has
    ///   expired, was used before, or whose session has ended.
    package func refreshTokens(_ text: some StringProtocol) async throws -> CustomerTokens {
        guard text.hasPrefix(Self.refreshTokenPrefix),
            let presented = SecretToken(text.dropFirst(Self.refreshTokenPrefix.count))
        else { throw Self.badRefreshToken(.tokenInvalid) }
        let refresh = SecretToken.random()
        let rotated = try await database.write { transaction -> RotatedToken in
            guard let locked = try await transaction.customerSessions.lock(refreshToken: presented.hash) else {
                return .refused(.tokenInvalid)
            }
            guard !locked.hasEnded else { return .refused(.tokenExpired) }
            switch RefreshRotation(of: locked.presented, successors: locked.successors, at: transaction.now) {
            case .rotated:
                try await transaction.customerSessions.issue(
                    refreshToken: refresh.hash,
                    for: locked.session,
                    replacing: presented.hash,
                    until: transaction.now.addingTimeInterval(Self.refreshLifetime)
                )
                return .rotated(locked, from: transaction.now)
            case .reused:
                // Kept, although the caller is refused.
                _ = try await transaction.customerSessions.end(locked.session)
                return .refused(.tokenExpired)
            case .expired: return .refused(.tokenExpired)
            }
        }
        switch rotated {
        case .rotated(let locked, let start):
            return try await pair(
                refresh,
                of: locked.session,
                locked.app,
                locked.appSlug,
                locked.customer,
                from: start
            )
        case .refused(let reason): throw Self.badRefreshToken(reason)
        }
    }

    /// Refreshes a session and adds the customer's profile, as in the answer to a sign-in (lightgallery, "AuthResponse").
    ///
    /// - Throws: as `refreshTokens`; `tokenInvalid` if the account was deleted meanwhile.
    package func refreshSession(_ text: some StringProtocol) async throws -> SignedIn {
        let tokens = try await refreshTokens(text)
        guard let profile = try await profile(of: tokens.customer, app: tokens.app) else {
            throw Self.badRefreshToken(.tokenInvalid)
        }
        return SignedIn(tokens: tokens, profile: profile, isNew: false)
    }

    /// Ends a session; its tokens open nothing from now on, on any server.
    package func signOut(_ session: CustomerSession.ID) async throws {
        _ = try await database.write { try await $0.customerSessions.end(session) }
    }

    /// The live session of an access token; nil if the token is neither ours nor of the app's own issuer, or has expired, or if its session
    /// has ended.
    ///
    /// - Parameters:
    ///   - withUsage: true to read the customer's usage in the same round trip.
    ///   - countSignUp: called before a token of the app's own issuer creates a customer; an error prevents that.
    /// - Throws: `OperationsError` with `.overloaded` while the issuer's keys are not available; the errors of `countSignUp`.
    package func customerSession(
        _ accessToken: some StringProtocol,
        withUsage: Bool = false,
        countSignUp: () async throws -> Void = {}
    ) async throws -> CustomerSession? {
        let text = String(accessToken)
        let ours = try await accessTokens.verify(text).flatMap { CustomerSession.ID($0.sid) }
        let id = if let ours { ours } else { try await issuedSession(text, countSignUp) }
        guard let id else { return nil }
        return try await sessionReads.answer(to: CustomerSessionAsk(id, withUsage: withUsage))
    }

    /// Clears away sessions that ended a month ago.
    package func forgetCustomerSessions() async throws -> Int {
        try await database.forgetCustomerSessions(endedBefore: database.now.addingTimeInterval(-30 * 86_400))
    }

    func pair(
        _ refresh: SecretToken,
        of session: CustomerSession.ID,
        _ app: App.ID,
        _ slug: String,
        _ customer: Customer.ID,
        from start: Date
    ) async throws -> CustomerTokens {
        let end = start.addingTimeInterval(AccessTokens.lifetime)
        let claims = AccessTokenClaims(app: slug, customer: customer, session: session, from: start, until: end)
        return CustomerTokens(
            app: app,
            customer: customer,
            accessToken: try await accessTokens.sign(claims.json),
            expiresAt: end,
            refreshToken: Secret(Self.refreshTokenPrefix + refresh.description)
        )
    }

    private static func badRefreshToken(_ reason: ProblemCode) -> OperationsError {
        OperationsError(.notAuthentic, "The refresh token is unknown, expired or used.", reason: reason)
    }
}

/// The outcome of presenting a refresh token.
private enum RotatedToken: Sendable {
    case rotated(LockedRefreshToken, from: Date)
    case refused(ProblemCode)
}
