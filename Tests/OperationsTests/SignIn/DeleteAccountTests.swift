import Billing
import Foundation
import Gateways
import Jobs
import Operations
import Postgres
import Storage
import TestSupport
import Testing

@Suite("The deletion of an account") struct DeleteAccountTests {
    @Test("every session ends at once on every server; the same person is somebody new the next time")
    func ends() async throws {
        try await SignInOffice.run { office in
            let phone = try await office.signIn("001.a#1", at: .apple)
            let pad = try await office.signIn("001.a#2", at: .apple)
            let other = office.otherServer()
            #expect(try await office.session(phone.tokens, on: other) != nil)
            #expect(try await office.delete(phone.tokens.customer))
            for tokens in [phone.tokens, pad.tokens] {
                #expect(try await office.session(tokens, on: other) == nil)
                #expect(try await office.session(tokens) == nil)
                let refresh = try #require(tokens.refreshToken).revealed
                let error = await office.refusal { _ = try await other.refreshTokens(refresh) }
                #expect(error?.code == .notAuthentic)
                #expect(try await other.deletedCustomer(tokens.accessToken.revealed) == phone.tokens.customer)
            }
            let new = try await office.signIn("001.a#3", at: .apple)
            #expect(new.isNew)
            #expect(new.tokens.customer != phone.tokens.customer)
            #expect(try await office.backOffice.deletedCustomer(new.tokens.accessToken.revealed) == nil)
        }
    }

    @Test("what tells of the person is erased, in every table; the books are as they were")
    func erased() async throws {
        try await SignInOffice.run { office in
            let device = try await office.mint("device of mei", isAnonymous: true)
            let mei = try await office.signIn("mei#1", during: device).tokens.customer
            try await office.office.addStaffNote("Mei asked about the price.", about: mei, office.app)
            let grant = "grants WHERE customer_id = '\(mei)' AND ended_at IS NULL"
            let held = try await office.count(grant)
            #expect(try await office.delete(mei))
            let kept = try await office.lines(
                """
                SELECT concat_ws(' ', name, email, avatar_url, external_id, search) FROM customers
                UNION ALL SELECT text FROM customer_notes
                UNION ALL SELECT i::text FROM sign_in_identities i
                UNION ALL SELECT s::text FROM sign_in_subjects s
                """
            )
            #expect(!kept.contains { $0.localizedCaseInsensitiveContains("mei") })
            #expect(try await office.count("customer_notes WHERE text = 'erased' AND withdrawn_at IS NOT NULL") == 1)
            #expect(try await office.count("sign_in_identities") == 0)
            #expect(try await office.count(grant) == held)
            let stated = try await office.lines("SELECT actor FROM audit_entries WHERE action = 'customer.delete'")
            #expect(stated == ["customer"])
            let (details, timeline) = try await office.office.database.read { reader in
                (
                    try await reader.screens.customer(id: mei, app: office.app, seesPersonalData: true),
                    try await reader.screens.timeline(of: mei, Timeline.Filter(), seesPersonalData: true)
                )
            }
            #expect(details?.deletedAt != nil)
            #expect(details?.notes.isEmpty == true)
            let actions = timeline.rows.compactMap { moment -> String? in
                if case .staff(let action) = moment.what { action.action } else { nil }
            }
            #expect(actions.contains("customer.delete"))
        }
    }

    @Test("done again it does nothing, and many at once do it once")
    func again() async throws {
        try await SignInOffice.run { office in
            let mei = try await office.signIn("001.a#1", at: .apple).tokens.customer
            let done = try await withThrowingTaskGroup(of: Bool.self) { group in
                for _ in 0..<6 { group.addTask { try await office.delete(mei) } }
                return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }
            #expect(done == 1)
            #expect(try await office.delete(mei) == false)
            #expect(try await office.count("audit_entries WHERE action = 'customer.delete'") == 1)
            let error = await office.refusal { _ = try await office.delete(Customer.ID(UUID())) }
            #expect(error?.code == .notFound)
        }
    }

    @Test("Apple is told that the sign-in has ended, as soon as it answers; then nothing of it is left")
    func revoked() async throws {
        try await SignInOffice.run { office in
            let mei = try await office.signIn("001.a#1", at: .apple).tokens.customer
            office.apple.setAway(true)
            #expect(try await office.delete(mei))
            let worker = JobWorker(backOffice: office.backOffice)
            _ = try await worker.drain()
            #expect(try await office.count("jobs WHERE kind = 'sign_in_revocation' AND last_error IS NOT NULL") == 1)
            #expect(try await office.count("sign_in_revocations") == 1)
            office.apple.setAway(false)
            _ = try await office.office.pool.query("UPDATE jobs SET scheduled_at = now() WHERE state = 'available'")
            _ = try await worker.drain()
            #expect(office.apple.revoked == ["refresh of 001.a com.example"])
            #expect(try await office.count("sign_in_revocations") == 0)
            #expect(try await office.count("jobs WHERE kind = 'sign_in_revocation' AND state = 'completed'") == 1)
        }
    }

    @Test("what a deleted customer bought is claimed by whoever proves it; who is named again is somebody new")
    func claimed() async throws {
        try await SignInOffice.run { office in
            let named = try await office.mint("user-4711", isAnonymous: false)
            let token = try #require(try await office.session(named)?.accountToken)
            #expect(try await office.delete(named.customer))
            let again = try await office.mint("user-4711", isAnonymous: false)
            #expect(again.customer != named.customer)
            // The store's account token is the proof that it is theirs.
            let proven = try await office.backOffice.mintToken(
                for: CustomerIdentity(externalID: "user-4712", isAnonymous: false, accountToken: token),
                of: office.app,
                caller: .commandLine
            )
            #expect(proven.customer != named.customer)
            let survivor = try await office.lines(
                "SELECT merged_into::text FROM customers WHERE id = \(named.customer)"
            )
            #expect(survivor == [proven.customer.description])
            let parties = try await office.office.database.write { transaction in
                try await transaction.customers.lock([again.customer], of: office.app)
            }
            #expect(parties[again.customer]?.isIdentified == true)
        }
    }
}

extension TestOffice {
    fileprivate func addStaffNote(_ text: String, about customer: Customer.ID, _ app: App.ID) async throws {
        let ada = try await staff("ada@example.com", .admin)
        _ = try await backOffice.addNote(
            text,
            id: CustomerNote.ID(UUID()),
            about: customer,
            of: app,
            author: "Ada",
            caller: ada
        )
    }
}
