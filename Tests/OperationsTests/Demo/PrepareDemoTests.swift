import Operations
import Postgres
import Storage
import Testing

@Suite("Preparing the demo") struct PrepareDemoTests {
    @Test("each role has an account that the password opens, and a second start changes the password alone")
    func accounts() async throws {
        try await TestOffice.run { office in
            try await office.backOffice.prepareDemoAccounts(password: "first")
            let made = try await Self.accounts(office)
            #expect(made == ["admin@demo.test admin", "analyst@demo.test analyst", "support@demo.test support"])
            try await office.backOffice.prepareDemoAccounts(password: "second")
            #expect(try await Self.accounts(office) == made)
            for account in DemoAccount.all {
                let (new, old) = (
                    try await Self.opens(account, "second", office), try await Self.opens(account, "first", office)
                )
                #expect(new)
                #expect(!old)
            }
        }
    }

    @Test("the history is filled in once, for each app by itself")
    func filledOnce() async throws {
        try await TestOffice.run { office in
            #expect(try await office.backOffice.isDemoFilled(app: "readmigo") == false)
            try await office.backOffice.markDemoFilled(app: "readmigo")
            #expect(try await office.backOffice.isDemoFilled(app: "readmigo") == true)
            #expect(try await office.backOffice.isDemoFilled(app: "other") == false)
        }
    }

    private static func accounts(_ office: TestOffice) async throws -> [String] {
        try await office.lines("SELECT email || ' ' || role FROM staff ORDER BY email")
    }

    private static func opens(_ account: DemoAccount, _ password: String, _ office: TestOffice) async throws -> Bool {
        let outcome = try await office.backOffice.signIn(
            email: account.email,
            password: password,
            caller: .commandLine
        )
        return if case .signedIn = outcome { true } else { false }
    }
}
