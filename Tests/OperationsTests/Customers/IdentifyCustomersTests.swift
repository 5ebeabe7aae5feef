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
