package import Billing
import Foundation
package import Storage

extension BackOffice {
    /// Makes a batch of codes.
    ///
    /// - Parameter key: the batch is made once under it.
    /// - Returns: the outcome, whose result is the batch's id.
    /// - Throws: `OperationsError`: `.forbidden`, `.invalid` with the field `plan`, `.misconfigured` where the installation has no
    ///   secret.
    package func makePromoBatch(
        _ wanted: NewPromoBatch,
        of app: App.ID,
        key: IdempotencyKey?,
        caller: Caller
    ) async throws -> ActionOutcome {
        guard caller.may(.managePromoCodes) else { throw OperationsError(.forbidden, "Your role may not do this.") }
        let maker = try promoCodeMaker
        let plan = try await promoPlan(wanted.plan, of: app)
        return try await runOnce(key) { transaction in
            let batch = PromoBatch(
                id: PromoBatch.ID(transaction.newUUID()),
                app: app,
                name: wanted.name,
                channel: wanted.channel,
                terms: wanted.terms(plan),
                codeCount: wanted.codes,
                createdAs: caller.actor,
                createdAt: transaction.now
            )
            guard try await transaction.promoCodes.insert(batch, by: caller.staff) else {
                throw OperationsError(problems: [FieldProblem("plan", .unknownChoice)])
            }
            for first in stride(from: 1, through: batch.codeCount, by: Self.codesAtOnce) {
                let last = min(first + Self.codesAtOnce - 1, batch.codeCount)  // safe: at most 100,000
                let hashes = (first...last).flatMap { maker.hash(of: maker.code($0, of: batch.id), in: app) }
                try await transaction.promoCodes.insertCodes(of: batch, from: first, hashes: hashes)
            }
            let entry = caller.entry(
                .makePromoBatch,
                on: "promo_batch",
                batch.id.description,
                app: app,
                after: batch.audited.text
            )
            return (try await transaction.audit.append(entry), batch.id.description)
        }
    }

    /// The plan that a batch is to give.
    ///
    /// - Throws: `OperationsError` with `.invalid` and the field `plan` for none of the app's, and for the one that everybody has.
    package func promoPlan(_ code: String, of app: App.ID) async throws -> Plan {
        let settings = try await database.readPrimary { try await $0.entitlementSources.settings(of: app) }
        guard let plan = settings?.plan(code)?.plan else {
            throw OperationsError(problems: [FieldProblem("plan", .unknownChoice)])
        }
        guard plan.rank > 0 else { throw OperationsError(problems: [FieldProblem("plan", .rule(.planIsFree))]) }
        return plan
    }

    /// The next codes of a batch as they are printed, and how often each was redeemed.
    ///
    /// - Parameter number: after which they begin; 0 for the first.
    /// - Throws: `OperationsError` with `.misconfigured` where the installation has no secret.
    package func promoCodes(of batch: PromoBatch.ID, after number: Int, limit: Int) async throws -> [PrintedPromoCode] {
        let maker = try promoCodeMaker
        return try await database.readPrimary { reader in
            try await reader.promoCodes.uses(of: batch, after: number, limit: limit).map { number, uses in
                PrintedPromoCode(number: number, code: maker.code(number, of: batch), uses: uses)
            }
        }
    }

    /// Writes down that somebody took a batch's codes away.
    ///
    /// - Parameter isComplete: false when the reader went away before the end.
    package func recordExport(
        of batch: PromoBatch.ID,
        rows: Int,
        isComplete: Bool,
        app: App.ID,
        caller: Caller
    ) async throws {
        try await database.appendToAuditLog(
            caller.entry(
                .exportPromoCodes,
                on: "promo_batch",
                batch.description,
                app: app,
                after: AuditJSON([("complete", String(isComplete)), ("rows", String(rows))]).text
            )
        )
    }

    private static let codesAtOnce = 5_000
}

/// A code of a batch, for those who hand it out.
package struct PrintedPromoCode: Sendable, Hashable {
    /// In its batch, from 1.
    package var number: Int
    package var code: PromoCode
    package var uses: Int
}

extension PromoBatch {
    /// The audit log's description of the batch: all but its codes.
    var audited: AuditJSON {
        AuditJSON([
            ("name", name), ("channel", channel), ("plan", terms.plan.code), ("days", String(terms.days)),
            ("codes", String(codeCount)), ("uses per code", String(terms.usesPerCode)),
            ("uses per customer", String(terms.usesPerCustomer)),
            ("starts", terms.startsAt?.formatted(.iso8601)), ("expires", terms.expiresAt?.formatted(.iso8601)),
        ])
    }
}
