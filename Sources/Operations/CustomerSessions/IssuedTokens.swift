import Billing
import Crypto
import Foundation
import Gateways
import Logging
import Storage

/// The customer tokens of apps with a login of their own, and their cached claims.
final class IssuedTokens: Sendable {
    let verifier: IssuerVerifier
    let remembered = RememberedTokens<IssuedClaims>()

    init(verifier: IssuerVerifier) {
        self.verifier = verifier
    }
}

/// The session that a token of an app's own issuer belongs to.
struct IssuedClaims: RememberedClaims {
    let app: App.ID
    let session: CustomerSession.ID
    /// The issuer's settings when the token was checked: under other settings it is checked again.
    let issuer: TokenIssuer
    /// Includes the leeway.
    let end: Date

    func isCurrent(at now: Date) -> Bool { now < end }
}

extension BackOffice {
    /// The session of a token that an app's own issuer signed. A customer whom it names for the first time is made.
    ///
    /// - Parameter countSignUp: called before a customer is made.
    /// - Returns: nil for every other text, for what has expired, and for what was issued before the customer's session was ended.
    /// - Throws: `OperationsError` with `.overloaded` while the issuer's keys cannot be had; the database's errors; what `countSignUp`
    ///   throws.
    func issuedSession(_ text: String, _ countSignUp: () async throws -> Void) async throws -> CustomerSession.ID? {
        guard text.utf8.count <= IssuerVerifier.longestToken else { return nil }
        let (now, digest) = (database.now, TokenDigest(of: text))
        if let known = issuedTokens.remembered.claims(of: digest, at: now),
            try await apps.entry(for: known.app)?.tokenIssuer == known.issuer
        {
            return known.session
        }
        guard let issued = try await issuedToken(text, at: now) else { return nil }
        let isKnown = try await database.readPrimary {
            try await $0.isNamed(issued.identity.externalID, of: issued.app)
        }
        if !isKnown { try await countSignUp() }
        let end = issued.identity.expiresAt.addingTimeInterval(TimeInterval(issued.issuer.leeway))
        guard let session = try await session(of: issued, until: end) else { return nil }
        issuedTokens.remembered.remember(
            IssuedClaims(app: issued.app, session: session, issuer: issued.issuer, end: end),
            as: digest
        )
        return session
    }

    /// The customer whose account was deleted after an app's own issuer signed the token; nil for every other text.
    ///
    /// - Throws: `OperationsError` with `.overloaded` while the issuer's keys are not available; the database's errors.
    func deletedCustomer(issued text: String) async throws -> Customer.ID? {
        guard let issued = try await issuedToken(text, at: database.now) else { return nil }
        return try await database.readPrimary {
            try await $0.deletedCustomer(
                of: issued.app,
                subject: issued.subject,
                since: issued.identity.issuedAt
            )
        }
    }

    private func issuedToken(_ text: String, at now: Date) async throws -> VerifiedToken? {
        guard let token = try? JWT(text, longest: IssuerVerifier.longestToken),
            let entry = try await apps.entry(issuing: token),
            let issuer = entry.tokenIssuer, let identity = try await identity(in: token, by: issuer, at: now)
        else { return nil }
        return VerifiedToken(app: entry.record.id, issuer: issuer, identity: identity)
    }

    private func identity(
        in token: JWT,
        by issuer: TokenIssuer,
        at now: Date
    ) async throws -> IssuedIdentity? {
        let identity: IssuedIdentity
        do throws(JWTError) {
            identity = try await issuedTokens.verifier.verify(token, by: issuer, at: now)
        } catch {
            guard error.code == .unreachable else { return nil }
            logger.warning("an app's issuer does not give out its keys", metadata: ["error": "\(error)"])
            throw OperationsError(
                .overloaded,
                "The app's issuer does not answer, and its keys are not known yet.",
                retryAfter: Self.retryIssuerAfter,
                underlying: error
            )
        }
        return PurchaseRequest.problems(ofExternalID: identity.externalID).isEmpty ? identity : nil
    }

    private func session(of issued: VerifiedToken, until end: Date) async throws -> CustomerSession.ID? {
        do {
            return try await database.write { transaction in
                let named = CustomerIdentity(externalID: issued.identity.externalID, isAnonymous: false)
                let customer = try await transaction.identify(named, of: issued.app)
                let session = try await transaction.customerSessions.continueIssued(
                    for: customer,
                    of: issued.app,
                    subject: issued.subject,
                    issuedAt: issued.identity.issuedAt,
                    until: max(end, transaction.now.addingTimeInterval(1))
                )
                // Neither a session nor a customer is made of a token that is over.
                guard let session else { throw EndedSession() }
                return session
            }
        } catch is EndedSession {
            return nil
        }
    }

    /// Seconds; longer than we wait before we ask again.
    private static let retryIssuerAfter = 30
}

/// A token that an app's own issuer signed.
private struct VerifiedToken: Sendable {
    let app: App.ID
    let issuer: TokenIssuer
    let identity: IssuedIdentity

    /// SHA-256 of whom it names, as sessions keep it.
    var subject: [UInt8] { Array(SHA256.hash(data: Data(identity.externalID.utf8))) }
}

/// The token was issued before the customer's session was ended.
private struct EndedSession: Error {}
