import APITypes
import Billing
import Foundation
import HTTP
import Operations
import Storage

extension PromoBatchItem {
    init(_ batch: PromoBatch, at now: Date) {
        self.init(
            id: batch.id.uuid,
            name: batch.name,
            channel: batch.channel,
            state: batch.terms.state(at: now).rawValue.uppercased(),
            planType: batch.terms.plan.code,
            days: batch.terms.days,
            codes: batch.codeCount,
            usesPerCode: batch.terms.usesPerCode,
            usesPerCustomer: batch.terms.usesPerCustomer,
            startsAt: batch.terms.startsAt,
            expiresAt: batch.terms.expiresAt,
            createdBy: batch.createdAs,
            createdAt: batch.createdAt,
            stoppedBy: batch.stoppedAs,
            stoppedAt: batch.terms.stoppedAt
        )
    }
}

extension PromoReportItem {
    init(_ report: PromoReport) {
        self.init(
            codes: report.codes,
            redeemedCodes: report.redeemedCodes,
            redemptions: report.redemptions,
            customers: report.customers,
            neverPaid: report.neverPaid,
            converted: report.converted,
            conversionRate: report.conversionRate
        )
    }
}

extension PromoRedemptionItem {
    init(_ row: PromoRedemption) {
        self.init(
            id: row.id.uuid,
            codeNumber: row.codeNumber,
            userId: row.customer.id.uuid,
            startsAt: row.startsAt,
            endsAt: row.endsAt,
            revoked: row.isWithdrawn,
            redeemedAt: row.redeemedAt
        )
    }
}

extension NewPromoBatchRequest {
    /// - Throws: `OperationsError` with everything that is wrong, by the names of the form.
    func checked(zone: TimeZone, now: Date) throws -> NewPromoBatch {
        var problems = FieldProblems()
        let startsAt = try problems.read { try Self.moment(self.startsAt, "startsAt") }
        let expiresAt = try problems.read { try Self.moment(self.expiresAt, "expiresAt") }
        let wanted = try problems.read {
            try NewPromoBatch(
                name: name,
                channel: channel,
                plan: planType,
                days: days.map { String($0) },
                codes: codes.map { String($0) },
                usesPerCode: usesPerCode.map { String($0) },
                usesPerCustomer: usesPerCustomer.map { String($0) },
                startsAt: startsAt ?? nil,
                expiresAt: expiresAt ?? nil,
                zone: zone,
                now: now
            )
        }
        guard let wanted, problems.found.isEmpty else { throw problems.error }
        return wanted
    }

    private static func moment(_ text: String?, _ field: String) throws(OperationsError) -> Date? {
        guard let text else { return nil }
        guard let moment = TimeText.date(rfc3339: text) else {
            throw OperationsError(problems: [FieldProblem(field, .notADate)])
        }
        return moment
    }
}
