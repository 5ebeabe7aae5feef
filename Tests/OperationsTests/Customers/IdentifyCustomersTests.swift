import Billing
import Foundation
import Operations
import Postgres
import Storage
import Testing

@Suite("Introducing customers") struct IdentifyCustomersTests {
    private static let token = UUID(uuid: (1, 2, 3, 4, 5, 6, 0x47, 8, 0x89, 10, 11, 12, 13, 14, 15, 16))

    @Test("a token that nobody knows makes a customer, a known one gets the new name")
    func names() async throws {
        try await TestOffice.run { office in
            try await office.backOffice.identifyCustomers([Self.named("Li Na", "lina@example.com")], toApp: "readmigo")
            #expect(try await Self.people(office) == ["Li Na lina@example.com"])
            try await office.backOffice.identifyCustomers([Self.named("Li Na-Chen", nil)], toApp: "readmigo")
            #expect(try await Self.people(office) == ["Li Na-Chen -"])
        }
    }

    @Test("an app that does not exist is refused by field, and nobody is made")
    func unknownApp() async throws {
        try await TestOffice.run { office in
            let error = await #expect(throws: OperationsError.self) {
                try await office.backOffice.identifyCustomers([Self.named("Li Na", nil)], toApp: "nobody")
            }
            #expect(error?.code == .notFound)
            #expect(error?.field == "app")
            let count = try await office.count("customers")
            #expect(count == 0)
        }
    }

    private static func named(_ name: String, _ email: String?) -> CustomerIntroduction {
        CustomerIntroduction(appAccountToken: token, name: name, email: email)
    }

    private static func people(_ office: TestOffice) async throws -> [String] {
        try await office.lines("SELECT name || ' ' || coalesce(email, '-') FROM customers ORDER BY id")
    }
}

@Suite("The first call of a customer") struct FirstCallTests {
    @Test("fifty first calls at once make one customer, who has one account token for ever")
    func once() async throws {
        try await TestOffice.run { office in
            let app = try await office.app()
            let identity = CustomerIdentity(externalID: "mei", isAnonymous: false)
            let made = try await withThrowingTaskGroup(of: Customer.ID?.self) { group in
                for _ in 0..<50 {
                    group.addTask {
                        try await office.database.write { try await $0.customers.identify(identity, of: app) }
                    }
                }
                return try await group.reduce(into: Set<Customer.ID?>()) { $0.insert($1) }
            }
            #expect(made.count == 1)
            #expect(
                try await office.count("customers WHERE app_account_token::text = key AND identified_at IS NOT NULL")
                    == 1
            )
        }
    }

    @Test("an id that was a device's is an account's once it is named as one")
    func identified() async throws {
        try await TestOffice.run { office in
            let app = try await office.app()
            for isAnonymous in [true, false, true] {
                let identity = CustomerIdentity(externalID: "mei", isAnonymous: isAnonymous)
                _ = try await office.database.write { try await $0.customers.identify(identity, of: app) }
            }
            #expect(try await office.count("customers WHERE identified_at IS NOT NULL") == 1)
        }
    }
}
