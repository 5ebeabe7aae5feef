import Billing
import Foundation
import Operations
import Postgres
import Storage
import TestSupport
import Testing

@Suite("When customers' apps called last, and how") struct SeenCustomersTests {
    private static let agent = "Readmigo/2.3.1 (iPhone; iOS 17.4)"

    @Test("what the headers say is written when it is time, and a call writes nothing")
    func written() async throws {
        try await TestOffice.run { office in
            let customer = try await office.customer("mei")
            call(customer, "zh-Hans-CN;q=0.9, en", Self.agent, office)
            #expect(try await activity(office) == [])
            #expect(try await office.backOffice.writeSeenCustomers() == 1)
            #expect(try await activity(office) == ["zh-Hans-CN ios 2.3.1 1767225600"])
            #expect(try await office.backOffice.writeSeenCustomers() == 0)
        }
    }

    @Test("the same is written once an hour, by whichever server; another version at once")
    func hourly() async throws {
        try await TestOffice.run { office in
            let customer = try await office.customer("mei")
            let other = office.anotherServer()
            call(customer, "en", Self.agent, office)
            _ = try await office.backOffice.writeSeenCustomers()
            office.clock.advance(by: 1_800)
            call(customer, "en", Self.agent, office)
            #expect(try await office.backOffice.writeSeenCustomers() == 0)
            other.seenCustomers.note(customer, acceptLanguage: "en", userAgent: Self.agent, at: office.clock.read())
            _ = try await other.writeSeenCustomers()
            #expect(try await activity(office) == ["en ios 2.3.1 1767225600"])
            call(customer, "en", "Readmigo/2.4.0 (iPhone; iOS 17.4)", office)
            _ = try await office.backOffice.writeSeenCustomers()
            #expect(try await activity(office) == ["en ios 2.4.0 1767227400"])
            office.clock.advance(by: 3_600)
            call(customer, "en", "Readmigo/2.4.0 (iPhone; iOS 17.4)", office)
            _ = try await office.backOffice.writeSeenCustomers()
            #expect(try await activity(office) == ["en ios 2.4.0 1767231000"])
        }
    }

    @Test("who is merged is seen as the other, the later call stays, and both at once are one row")
    func merged() async throws {
        try await TestOffice.run { office in
            let app = try await office.app()
            let (phone, tablet) = (try await office.customer("phone"), try await office.customer("tablet"))
            call(phone, "en", Self.agent, office)
            _ = try await office.backOffice.writeSeenCustomers()
            try await office.backOffice.mergeAnonymousCustomer(phone, into: tablet, of: app)
            #expect(try await activity(office) == ["en ios 2.3.1 1767225600"])
            office.clock.advance(by: 3_600)
            call(phone, "tr", "okhttp/4.12.0", office)
            office.clock.advance(by: 1)
            call(tablet, "tr-TR", "Mozilla/5.0 (iPhone)", office)
            _ = try await office.backOffice.writeSeenCustomers()
            #expect(try await activity(office) == ["tr-TR web 2.3.1 1767229201"])
        }
    }

    @Test(
        "whatever a header says, what is kept is short and plain",
        arguments: [
            ("Readmigo/412 CFNetwork/1408.0.4 Darwin/22.5.0", "ios 412"), ("okhttp/4.12.0", "android -"),
            ("Kombin/1.0 (Macintosh; macOS 15.1)", "macos 1.0"), ("Mozilla/5.0 (Linux; Android 14)", "web -"),
            ("", "- -"), ("curl/8.5.0", "- -"), ("a\0b/1", "- 1"), ("x/-9223372036854775808", "- -9223372036854775808"),
            ("x/10000000000000000000", "- 10000000000000000000"), ("x/1.5", "- 1.5"), ("x/'; DROP", "- -"),
            ("x/\(String(repeating: "9", count: 100_000))", "- -"), (String(repeating: "é", count: 100_000), "- -"),
        ]
    )
    func agents(agent: String, kept: String) async throws {
        try await TestOffice.run { office in
            call(try await office.customer("mei"), nil, agent, office)
            _ = try await office.backOffice.writeSeenCustomers()
            #expect(try await activity(office) == ["- \(kept) 1767225600"])
        }
    }

    @Test(
        "what is no language tag is not kept",
        arguments: ["", "*", "zh_CN", "a\0b", "1.5", String(repeating: "a", count: 100_000), "a-b-c-d-e-f", "-", "en-"]
    )
    func languages(header: String) async throws {
        try await TestOffice.run { office in
            call(try await office.customer("mei"), header, nil, office)
            _ = try await office.backOffice.writeSeenCustomers()
            #expect(try await activity(office) == ["- - - 1767225600"])
        }
    }

    private func call(_ customer: Customer.ID, _ language: String?, _ agent: String?, _ office: TestOffice) {
        office.backOffice.seenCustomers.note(
            customer,
            acceptLanguage: language,
            userAgent: agent,
            at: office.clock.read()
        )
    }

    /// Returns each activity as `locale platform version time`.
    private func activity(_ office: TestOffice) async throws -> [String] {
        try await office.lines(
            """
            SELECT concat_ws(' ', coalesce(locale, '-'), coalesce(platform, '-'), coalesce(app_version, '-'),
                extract(epoch FROM last_seen_at)::bigint)
            FROM customer_activity
            """
        )
    }
}
