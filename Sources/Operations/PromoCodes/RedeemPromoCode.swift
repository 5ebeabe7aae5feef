import Billing
package import Foundation
package import Storage

/// The result of redeeming a code, and the customer's entitlement since then.
package struct PromoRedemptionAnswer: Sendable, Hashable, Codable {
    /// The batch's name.
    package var name: String
    /// The code of the granted plan.
    package var plan: String
    package var startsAt: Date
    /// Exclusive; nil if staff removed the end.
    package var endsAt: Date?
    package var redeemedAt: Date
    /// The code of the plan that the customer may use now, from whatever source; nil for none but everybody's.
    package var currentPlan: String?
    /// Until when; nil without end.
    package var currentUntil: Date?
}

extension BackOffice {
    /// The largest number of characters that are read of a typed code.
    package static let longestPromoCode = 100

    /// Grants a customer the plan of a code, once. The same customer who sends the same code again, if only one can redeem it, gets the
    /// same answer.
    ///
    /// - Parameters:
    ///   - key: the idempotency key; nil for a caller that does not repeat.
    ///   - network: the network of the call, for the limit of wrong codes; nil if it is not known.
    /// - Throws: `OperationsError`: `.invalid` with the field `code`; `.blocked` after too many wrong codes; with a `PromoRefusal`
    ///   underneath `.notFound` for a code that the app does not have, otherwise `.conflict`; `.misconfigured` if the installation has no
    ///   secret.
    package func redeemPromoCode(
        _ typed: String,
        key: IdempotencyKey? = nil,
        from network: String? = nil,
        for session: CustomerSession,
        caller: Caller
    ) async throws -> PromoRedemptionAnswer {
        let hash = try promoCodeMaker.hash(ofTyped: try Self.checked(promoCode: typed), in: session.app)
        let tries = PromoTries(of: session.customer, in: session.app, from: network)
        let (until, place) = try await database.readPrimary { reader in
            let known = try await reader.signInFailures.find(tries.names)
            let place = try await reader.promoCodes.find(hash, of: session.app)
            return (tries.lockout(after: known, at: reader.now, isGood: place != nil), place)
        }
        if let until { throw blocked(until) }
        guard let place else {
            if let until = try await count(tries) { throw blocked(until) }
            throw OperationsError(PromoRefusal.unknown)
        }
        return try await database.write { transaction in
            guard let key else { return try await redeem(place, for: session, caller, in: transaction) }
            return try await transaction.answerOnce(key) {
                try await redeem(place, for: session, caller, in: transaction)
            }
        }
    }

    private func redeem(
        _ place: PromoCodePlace,
        for session: CustomerSession,
        _ caller: Caller,
        in transaction: WriteTransaction
    ) async throws -> PromoRedemptionAnswer {
        let (app, customer) = (session.app, session.customer)
        guard let held = try await transaction.entitlementSources.lock([customer], of: app)[customer] else {
            throw OperationsError(.notFound, "The app has no such customer.")
        }
        guard let (batch, uses) = try await transaction.promoCodes.share(place, of: app) else {
            throw OperationsError(PromoRefusal.unknown)
        }
        let now = transaction.now
        let earlier = try await transaction.promoCodes.earlier(of: batch.id, by: customer)
        let same = earlier.first { $0.codeNumber == place.number }
        if let same, batch.terms.usesPerCode == 1 {
            return PromoRedemptionAnswer(
                batch,
                from: same.grantStartsAt,
                until: same.grantEndsAt,
                at: same.redeemedAt,
                held.entitlement(at: now)
            )
        }
        let grant: Grant
        do throws(PromoRefusal) {
            try batch.terms.check(own: earlier.count, hasRedeemedCode: same != nil, uses: uses, at: now)
            grant = try held.promoGrant(
                of: batch.terms.plan,
                days: batch.terms.days,
                at: now,
                id: Grant.ID(transaction.newUUID())
            )
        } catch {
            throw OperationsError(error)
        }
        guard let use = try await transaction.promoCodes.use(place) else { throw OperationsError(PromoRefusal.usedUp) }
        let after = held.applying([.gave(grant)])
        try await transaction.entitlementSources.save([
            NewEntitlementAction(
                id: EntitlementActionRecord.ID(transaction.newUUID()),
                app: app,
                customer: customer,
                kind: .grant,
                changes: [.gave(grant)],
                staff: nil
            )
        ])
        try await transaction.promoCodes.insert(
            NewPromoRedemption(
                id: PromoRedemption.ID(transaction.newUUID()),
                place: place,
                useNumber: use,
                customer: customer,
                customerNumber: (earlier.map(\.customerNumber).max() ?? 0) + 1,  // safe: at most the limit
                grant: grant.id
            )
        )
        _ = try await transaction.audit.append(
            caller.entry(
                .redeemPromoCode,
                on: "customer",
                customer.description,
                app: app,
                customer: customer,
                after: AuditJSON([
                    ("batch", batch.id.description), ("name", batch.name), ("code", String(place.number)),
                    ("plan", grant.plan.code), ("from", grant.startsAt.formatted(.iso8601)),
                    ("until", grant.endsAt?.formatted(.iso8601)),
                ]).text
            )
        )
        return PromoRedemptionAnswer(
            batch,
            from: grant.startsAt,
            until: grant.endsAt,
            at: now,
            after.entitlement(at: now)
        )
    }

    /// - Throws: `OperationsError` with `.invalid` and the field `code`.
    private static func checked(promoCode typed: String) throws(OperationsError) -> String {
        guard !typed.isEmpty else { throw OperationsError(problems: [FieldProblem("code", .missing)]) }
        guard typed.unicodeScalars.count <= longestPromoCode else {
            throw OperationsError(problems: [FieldProblem("code", .tooLong(longestPromoCode))])
        }
        return typed
    }

    private func blocked(_ until: Date) -> OperationsError {
        let seconds = max(1, until.timeIntervalSince(database.now).rounded(.up))
        return OperationsError(
            .blocked,
            "Too many wrong promo codes were sent. Try again later.",
            retryAfter: Int(bounding: min(seconds, PromoThrottle.window))
        )
    }
}

extension PromoRedemptionAnswer {
    fileprivate init(
        _ batch: PromoBatch,
        from start: Date,
        until end: Date?,
        at moment: Date,
        _ entitlement: Entitlement?
    ) {
        self.init(
            name: batch.name,
            plan: batch.terms.plan.code,
            startsAt: start,
            endsAt: end,
            redeemedAt: moment,
            currentPlan: entitlement?.plan.code,
            currentUntil: entitlement?.until
        )
    }
}

extension OperationsError {
    fileprivate init(_ refusal: PromoRefusal) {
        self.init(
            refusal == .unknown ? .notFound : .conflict,
            refusal.sentence,
            reason: refusal.reason,
            underlying: refusal
        )
    }
}

extension PromoRefusal {
    fileprivate var reason: ProblemCode {
        switch self {
        case .unknown: .promoCodeUnknown
        case .notYetValid: .promoCodeNotYetValid
        case .expired: .promoCodeExpired
        case .stopped: .promoCodeStopped
        case .usedUp: .promoCodeUsedUp
        case .alreadyRedeemed: .promoCodeAlreadyRedeemed
        case .alreadyCovered: .promoCodeAlreadyCovered
        }
    }

    fileprivate var sentence: String {
        switch self {
        case .unknown: "There is no such promo code."
        case .notYetValid: "The promo code is not valid yet."
        case .expired: "The promo code has expired."
        case .stopped: "The promo code is not valid any more."
        case .usedUp: "The promo code has been used up."
        case .alreadyRedeemed: "The customer has redeemed this promo code already, or as many like it as one can."
        case .alreadyCovered: "The customer has this plan or a higher one; the promo code can be redeemed later."
        }
    }
}
