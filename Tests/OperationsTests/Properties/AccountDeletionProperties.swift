import Billing
import Foundation
import Gateways
import Jobs
import Operations
import Postgres
import Storage
import Testing

/// Checks the lightgallery document's property of account deletion on many made-up people of one app. A failure prints its seed.
@Suite("properties of the lightgallery document: account deletion") struct AccountDeletionProperties {
    static let seeds: Range<UInt64> = 0..<100

    @Test("Property 37: Account Deletion Cleanup")
    func deletion() async throws {
        try await SignInOffice.run { office in
            let ada = try await office.office.staff("ada@example.com", .admin)
            var (gone, kept): ([UInt64], [UInt64]) = ([], [])
            for seed in Self.seeds {
                var random = SeededGenerator(seed: seed)
                let person = MadeUpPerson(seed: seed)
                let customer = try await person.join(office, notedBy: ada, using: &random)
                guard Int.random(in: 0..<3, using: &random) > 0 else {
                    kept.append(seed)
                    continue
                }
                let access = try await office.count("grants WHERE customer_id = '\(customer)'")
                #expect(try await office.delete(customer), "seed \(seed)")
                gone.append(seed)
                // Their purchases and grants are kept under an id that names nobody.
                #expect(try await office.count("grants WHERE customer_id = '\(customer)'") == access, "seed \(seed)")
                let sessions = "customer_sessions WHERE customer_id = '\(customer)' AND ended_at IS NULL"
                #expect(try await office.count(sessions) == 0, "seed \(seed)")
                let identities = "sign_in_identities WHERE customer_id = '\(customer)'"
                #expect(try await office.count(identities) == 0, "seed \(seed)")
            }
            // The providers are asked to revoke the sign-ins.
            _ = try await JobWorker(backOffice: office.backOffice).drain()
            let everything = try await office.everything()
            for seed in gone {
                let mark = MadeUpPerson(seed: seed).mark
                // The audit log is never changed; it keeps what staff wrote.
                let traces = everything.filter {
                    $0.contains(mark) && !($0.hasPrefix("audit_entries ") && $0.contains(",note."))
                }
                #expect(traces.isEmpty, "seed \(seed): \(traces.map { $0.prefix(300) })")
            }
            // The data of everybody else is there, so the lines above could have found it.
            for seed in kept {
                let mark = MadeUpPerson(seed: seed).mark
                #expect(everything.contains { $0.contains(mark) }, "seed \(seed)")
            }
            #expect(gone.count > 50 && kept.count > 10)
        }
    }
}

/// A made-up person whose personal data all carries one mark.
private struct MadeUpPerson {
    /// The mark, in lower case as some columns keep it.
    let mark: String

    init(seed: UInt64) {
        var random = SeededGenerator(seed: seed &+ 77)
        let letters = (0..<12).compactMap { _ in "abcdefghijkmnpqrstuvwxyz".randomElement(using: &random) }
        mark = "zq\(String(letters))\(seed)zq"
    }

    /// Signs in by one provider or several, sets a profile, and gets a note of staff.
    func join(
        _ office: SignInOffice,
        notedBy staff: Caller,
        using random: inout SeededGenerator
    ) async throws -> Customer.ID {
        var tokens: CustomerTokens?
        if Bool.random(using: &random) {
            tokens = try await office.mint(mark, isAnonymous: Bool.random(using: &random))
        }
        var providers = AuthProvider.allCases.shuffled(using: &random)
        providers.removeLast(Int.random(in: 0..<3, using: &random))
        for provider in providers {
            let name = Bool.random(using: &random) ? "\(mark)+\(mark) at \(provider.rawValue)" : mark
            let signedIn = try await office.signIn("\(name)#\(provider.rawValue)", at: provider, during: tokens)
            tokens = signedIn.tokens
        }
        let customer = try #require(tokens).customer
        if Bool.random(using: &random) {
            let profile = try ProfileRequest(
                displayName: "\(mark) Yılmaz",
                email: "\(mark)@example.com",
                avatarURL: "https://example.com/\(mark).png"
            )
            _ = try await office.backOffice.setProfile(profile, of: customer, app: office.app)
        }
        for number in 0..<Int.random(in: 0..<3, using: &random) {
            try await office.backOffice.addNote(
                "\(mark) called, the number is \(number).",
                id: CustomerNote.ID(UUID()),
                about: customer,
                of: office.app,
                author: "Ada",
                caller: staff
            )
        }
        if Bool.random(using: &random) { try await give(customer, office) }
        return customer
    }

    private func give(_ customer: Customer.ID, _ office: SignInOffice) async throws {
        _ = try await office.office.pool.query(
            """
            INSERT INTO grants (id, app_id, customer_id, plan_id, kind, starts_at, created_at, updated_at)
            SELECT gen_random_uuid(), \(office.app), \(customer), id, 'complimentary', now(), now(), now()
            FROM plans WHERE app_id = \(office.app) AND code = 'PRO'
            """
        )
    }
}

extension SignInOffice {
    /// Returns every row of every table, in lower case.
    fileprivate func everything() async throws -> [String] {
        var rows: [String] = []
        for table in try await lines("SELECT tablename::text FROM pg_tables WHERE schemaname = 'public'") {
            rows += try await lines("SELECT '\(unsafe: table) ' || lower(t::text) FROM \(unsafe: table) t")
        }
        return rows
    }
}
