package import Billing
package import Operations
import Words

extension FieldProblem.Kind {
    /// The reason why a text names no day.
    package init(_ reason: BusinessDay.Unreadable) {
        switch reason {
        case .notADay: self = .notADate
        case .beforeFirst: self = .tooSmall(BusinessDay.nameable.lowerBound.description)
        case .afterLast: self = .tooLarge(BusinessDay.nameable.upperBound.description)
        }
    }
}

extension BusinessDay {
    /// Reads the day of a field; nil for an empty one.
    ///
    /// - Throws: `.invalid` with what is wrong with it.
    package init?(field: String, _ text: String) throws(OperationsError) {
        guard !text.isEmpty else { return nil }
        do throws(Unreadable) {
            try self.init(reading: text)
        } catch {
            throw OperationsError(problems: [FieldProblem(field, FieldProblem.Kind(error))])
        }
    }
}

extension URLEncoded {
    /// Refuses days that lie outside `BusinessDay.nameable`.
    ///
    /// A text that is no day at all falls away, like every unknown value of a filter. A day of the year 9999 is one, and February 30 is
    /// meant for one: left out, the page would answer another question than the one that was asked.
    ///
    /// - Throws: `.invalid`, naming each field.
    package func requireNameableDays() throws(OperationsError) {
        let problems = pairs.compactMap { name, value -> FieldProblem? in
            let text: String
            switch name {
            case "from", "to", "as_of": text = value
            case "month": text = value + "-01"
            case _: return nil
            }
            do throws(BusinessDay.Unreadable) {
                _ = try BusinessDay(reading: text)
                return nil
            } catch {
                let isMeant = text.wholeMatch(of: /[0-9]{4}-?[0-9]{2}-?[0-9]{2}/) != nil
                return error == .notADay && !isMeant ? nil : FieldProblem(name, FieldProblem.Kind(error))
            }
        }
        guard problems.isEmpty else { throw OperationsError(problems: problems) }
    }
}

extension Strings {
    /// Returns the name of a filter's field on pages; other fields are named as they are sent.
    package func name(ofField field: String) -> String {
        switch field {
        case "from": analyticsFrom.description
        case "to": analyticsTo.description
        case "as_of": analyticsAsOf.description
        case "month": chartsMonth.description
        case _: field
        }
    }
}
