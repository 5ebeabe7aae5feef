import Billing
import Foundation
import Operations
import Storage
import TestSupport
import Testing

@Suite("the file of gained and lost access") struct AccessFileTests {
    @Test("what staff give, suspend and let end stands beside what is bought, with whose doing it was")
    func doers() async throws {
        try await TestOffice.run { office in
            let (app, admin) = (try await office.app(), try await office.staff("ada@example.com", .admin))
            let (customer, subscription) = try await office.buyer(UUID())
            func change(_ command: EntitlementCommand) async throws {
                _ = try await office.backOffice.change(
                    customer,
                    of: app,
                    command,
                    reason: Reason(.goodwill, "The reader crashed all day."),
                    key: nil,
                    version: nil,
                    caller: admin
                )
            }
            #expect(try await office.accessFile() == ["gained PRO  customer"])
            office.clock.advance(by: 3_600)
            try await change(.grant(plan: "PREMIUM", .days(2)))
            office.clock.advance(by: 3_600)
            try await change(.revoke(.subscription(subscription)))
            office.clock.advance(by: 3 * 86_400)
            let doer = "ada@example.com"
            #expect(
                try await office.accessFile() == [
                    "gained PRO  customer", "gained PREMIUM complimentary \(doer)", "lost PRO suspended \(doer)",
                    "lost PREMIUM ended time",
                ]
            )
            #expect(
                try await office.accessFile(MetricsFilter(store: .apple)) == [
                    "gained PRO  customer", "lost PRO suspended \(doer)",
                ],
                "what staff give is of no store"
            )
        }
    }
}

extension TestOffice {
    /// What changed, to which plan, why and whose doing it was.
    fileprivate func accessFile(_ metrics: MetricsFilter = MetricsFilter()) async throws -> [String] {
        let (app, zone) = (try await app(), try #require(TimeZone(identifier: "Asia/Shanghai")))
        let list = try await database.read {
            $0.screens.exportAccess(SpanFilter(metrics: metrics), app: app, zone: zone, seesPersonalData: false)
        }
        var bytes: [UInt8] = []
        let inUTC: @Sendable (Int) -> Int = { _ in 0 }
        try await database.export(list, offset: inUTC) { piece, _ in bytes += piece }
        let places = ["change", "plan", "reason", "by"].compactMap { list.headings.firstIndex(of: $0) }
        return String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline).map { line in
            let cells = line.split(separator: ",", omittingEmptySubsequences: false)
            return places.map { cells[$0].trimmingCharacters(in: ["\""]) }.joined(separator: " ")
        }.filter { !$0.hasPrefix("change") }
    }
}
