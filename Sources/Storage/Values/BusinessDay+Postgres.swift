package import Billing
package import Postgres

extension BusinessDay: PostgresCodable {
    package static var postgresType: PostgresType { CalendarDay.postgresType }

    package func encode(into bytes: inout [UInt8]) throws {
        guard let day = CalendarDay(year: year, month: month, day: day) else {
            throw PostgresError(.encoding, "\(self) is no day of the calendar")
        }
        try day.encode(into: &bytes)
    }

    package init(postgres cell: Cell) throws {
        let day = try CalendarDay(postgres: cell)
        self.init(number: BusinessDay.number(year: day.year, month: day.month, day: day.day))
    }
}
