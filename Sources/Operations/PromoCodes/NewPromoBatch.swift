package import Billing
package import Foundation
import Storage

/// The terms of a new batch of codes, validated from forms and programs.
package struct NewPromoBatch: Sendable, Hashable {
    package let name: String
    package let channel: String
    package let plan: String
    package let days: Int
    package let codes: Int
    package let usesPerCode: Int
    package let usesPerCustomer: Int
    package let startsAt: Date?
    package let expiresAt: Date?

    /// - Parameters:
    ///   - plan: its code.
    ///   - usesPerCode: nil or empty for 1, as `usesPerCustomer`.
    ///   - startsAt: nil for at once.
    ///   - expiresAt: exclusive; nil for no end.
    ///   - zone: in whose days a mistake is told.
    /// - Throws: `OperationsError` with everything that is wrong with `name`, `channel`, `plan`, `days`, `codes`, `usesPerCode`,
    ///   `usesPerCustomer` and `expiresAt`.
    package init(
        name: String?,
        channel: String?,
        plan: String?,
        days: String?,
        codes: String?,
        usesPerCode: String? = nil,
        usesPerCustomer: String? = nil,
        startsAt: Date? = nil,
        expiresAt: Date? = nil,
        zone: TimeZone = .gmt,
        now: Date
    ) throws(OperationsError) {
        var problems = FieldProblems()
        self.name = problems.line(name, "name", longest: 100)
        self.channel = problems.line(channel, "channel", longest: 50)
        self.plan = plan ?? ""
        if self.plan.isEmpty { problems.add(FieldProblem("plan", .missing)) }
        self.days = problems.number(days, "days", within: PromoTerms.possibleDays)
        self.codes = problems.number(codes, "codes", within: PromoTerms.possibleCodes)
        self.usesPerCode = problems.number(usesPerCode, "usesPerCode", within: PromoTerms.possibleUses, preset: 1)
        self.usesPerCustomer = problems.number(
            usesPerCustomer,
            "usesPerCustomer",
            within: PromoTerms.possibleUsesPerCustomer,
            preset: 1
        )
        self.startsAt = startsAt
        self.expiresAt = expiresAt
        let earliest = max(startsAt ?? now, now)
        if let expiresAt, expiresAt <= earliest {
            problems.add(FieldProblem("expiresAt", .tooSmall(BusinessDay(earliest, in: zone).description)))
        }
        try problems.check()
    }

    /// - Parameter plan: the app's plan of that code.
    package func terms(_ plan: Plan) -> PromoTerms {
        PromoTerms(
            plan: plan,
            days: days,
            usesPerCode: usesPerCode,
            usesPerCustomer: usesPerCustomer,
            startsAt: startsAt,
            expiresAt: expiresAt
        )
    }
}

extension FieldProblems {
    /// One line of text without white space around it.
    fileprivate mutating func line(_ typed: String?, _ field: String, longest: Int) -> String {
        let text = (typed ?? "").trimmingCharacters(in: .whitespaces)
        // A character can be of any number of scalars.
        let scalars = text.unicodeScalars
        if scalars.isEmpty {
            add(FieldProblem(field, .missing))
        } else if scalars.count > longest {
            add(FieldProblem(field, .tooLong(longest)))
        } else if scalars.contains(where: { $0.properties.generalCategory == .control }) {
            add(FieldProblem(field, .other("This is one line of text.")))
        }
        return text
    }

    /// - Parameter preset: the value of an empty field; nil if a number is required.
    fileprivate mutating func number(
        _ typed: String?,
        _ field: String,
        within range: ClosedRange<Int>,
        preset: Int? = nil
    ) -> Int {
        let text = (typed ?? "").trimmingCharacters(in: .whitespaces)
        if text.isEmpty {
            if preset == nil { add(FieldProblem(field, .missing)) }
            return preset ?? range.lowerBound
        }
        guard let number = Int64(text) else {
            add(FieldProblem(field, .notANumber))
            return range.lowerBound
        }
        check(number, within: Int64(range.lowerBound)...Int64(range.upperBound), field: field)
        return Int(clamping: number)
    }
}
