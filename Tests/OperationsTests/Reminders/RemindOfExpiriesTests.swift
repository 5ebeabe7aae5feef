import Billing
import Foundation
import Operations
import Postgres
import Storage
import Testing

@Suite("What ends soon and cannot renew is announced") struct RemindOfExpiriesTests {
    private func reminders(_ office: CheckoutOffice) async throws -> [String] {
        try await office.office.lines(
            """
            SELECT concat_ws(' ', days, round(extract(epoch FROM ends_at - \(TestOffice.start)) / 86400)::int)
            FROM expiry_reminders
            ORDER BY recorded_at, days DESC
            """
        )
    }

    @Test("7, 3 and 1 days before the end of a bought month, each once, and never after it")
    func month() async throws {
        try await CheckoutOffice.run { office in
            let customer = try await office.office.customer("mei")
            try await office.buy(for: customer)
            var written: [Int] = []
            for day in 0..<36 {
                let count = try await office.backOffice.remindOfExpiries()
                if count > 0 { written.append(day) }
                #expect(try await office.backOffice.remindOfExpiries() == 0)
                office.advance(days: 1)
            }
            #expect(written == [24, 28, 30])
            #expect(try await reminders(office) == ["7 31", "3 31", "1 31"])
            let moments = try await office.office.database.read { reader in
                try await reader.screens.timeline(of: customer, Timeline.Filter(), seesPersonalData: true).rows
            }
            let days = moments.compactMap {
                if case .expiryReminder(let reminder) = $0.what { reminder.days } else { nil }
            }
            #expect(days == [1, 3, 7])
        }
    }

    @Test("a server that was away announces the nearest alone; an end that moves is announced anew")
    func moved() async throws {
        try await CheckoutOffice.run { office in
            let customer = try await office.office.customer("mei")
            try await office.buy(for: customer)
            office.advance(days: 29)
            #expect(try await office.backOffice.remindOfExpiries() == 1)
            #expect(try await reminders(office) == ["3 31"])
            try await office.buy(for: customer)
            #expect(try await office.backOffice.remindOfExpiries() == 0)
            office.advance(days: 23)
            #expect(try await office.backOffice.remindOfExpiries() == 1)
            #expect(try await reminders(office).count == 2)
        }
    }

    @Test("what is held for longer at another store ends for nobody")
    func heldLonger() async throws {
        try await CheckoutOffice.run { office in
            let customer = try await office.office.customer("mei")
            try await office.buy(for: customer)
            office.advance(days: 20)
            try await office.buy(by: .alipayQR, for: customer)
            office.advance(days: 10.5)
            #expect(try await office.backOffice.remindOfExpiries() == 0)
            office.advance(days: 23)
            #expect(try await office.backOffice.remindOfExpiries() == 1)
        }
    }
}
