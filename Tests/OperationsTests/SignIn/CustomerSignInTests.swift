import Billing
import Foundation
import Gateways
import Operations
import Postgres
import Storage
import TestSupport
import Testing

@Suite("Customers who sign in at a provider") struct CustomerSignInTests {
    @Test(
        "the first sign-in makes the customer with what the provider says, the next finds them",
        arguments: AuthProvider.allCases
    )
    func found(provider: AuthProvider) async throws {
        try await SignInOffice.run { office in
            let first = try await office.signIn("mei#1", at: provider)
            let again = try await office.signIn("mei#2", at: provider)
            #expect((first.isNew, again.isNew) == (true, false))
            #expect(first.tokens.customer == again.tokens.customer)
            #expect(again.profile.providers == [provider])
            #expect(again.profile.email?.shown(to: DataSubject()) == "mei@example.com")
            #expect(try await office.session(first.tokens)?.customer == first.tokens.customer)
            #expect(try await office.count("customers WHERE identified_at IS NOT NULL") == 1)
            #expect(try await office.count("sign_in_identities") == 1)
            let sealed = try await office.count(
                "sign_in_identities WHERE position('refresh of'::bytea in sealed_refresh_token) > 0"
            )
            #expect(sealed == 0)
        }
    }

    @Test("many who sign in as one person for the first time at once are one customer")
    func atOnce() async throws {
        try await SignInOffice.run { office in
            let customers = try await withThrowingTaskGroup(of: (Customer.ID, Bool).self) { group in
                for number in 0..<8 {
                    group.addTask {
                        let signedIn = try await office.signIn("mei+open\(number % 2)#\(number)")
                        return (signedIn.tokens.customer, signedIn.isNew)
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(Set(customers.map(\.0)).count == 1)
            #expect(customers.count { $0.1 } == 1)
            #expect(try await office.count("customers") == 1)
            #expect(try await office.count("sign_in_identities") == 1)
            #expect(try await office.count("sign_in_subjects") == 3)
        }
    }

    @Test("who was known by one name is found by another that the provider tells beside it")
    func otherNames() async throws {
        try await SignInOffice.run { office in
            let silent = try await office.signIn("openid#1")
            let asked = try await office.signIn("unionid+openid#2")
            let other = try await office.signIn("unionid+another openid#3")
            #expect(asked.tokens.customer == silent.tokens.customer)
            #expect(other.tokens.customer == silent.tokens.customer)
        }
    }

    @Test("an anonymous customer becomes the one who signs in there for the first time, under the same id")
    func anonymous() async throws {
        try await SignInOffice.run { office in
            let device = try await office.mint("device", isAnonymous: true)
            let signedIn = try await office.signIn("mei#1", during: device)
            #expect(signedIn.tokens.customer == device.customer)
            #expect(!signedIn.isNew)
            #expect(try await office.count("customers WHERE identified_at IS NOT NULL") == 1)
            #expect(try await office.session(device) == nil)
            // The next customer whom the app names so is another one.
            let next = try await office.mint("device", isAnonymous: true)
            #expect(next.customer != signedIn.tokens.customer)
        }
    }

    @Test("an anonymous customer becomes one with who has signed in before; what the device was known by before ends")
    func merged() async throws {
        try await SignInOffice.run { office in
            let account = try await office.signIn("mei#1")
            let device = try await office.mint("device", isAnonymous: true)
            let signedIn = try await office.signIn("mei#2", during: device)
            #expect(signedIn.tokens.customer == account.tokens.customer)
            #expect(try await office.session(device) == nil)
            #expect(try await office.session(account.tokens)?.customer == account.tokens.customer)
            #expect(try await office.count("customers WHERE merged_into IS NULL") == 1)
        }
    }

    @Test("a second provider is linked to who is signed in, and signs in the same customer")
    func linked() async throws {
        try await SignInOffice.run { office in
            let first = try await office.signIn("mei#1")
            let linked = try await office.signIn("001.a#1", at: .apple, during: first.tokens)
            let later = try await office.signIn("001.a#2", at: .apple)
            #expect(Set([first, linked, later].map(\.tokens.customer)).count == 1)
            #expect(later.profile.providers.sorted { $0.rawValue < $1.rawValue } == [.apple, .wechat])
            #expect(try await office.count("audit_entries WHERE action = 'identity.link'") == 1)
        }
    }

    @Test("a second account of one provider is refused to who is signed in, and is another customer without them")
    func occupied() async throws {
        try await SignInOffice.run { office in
            let mei = try await office.signIn("mei#1")
            let error = await office.refusal { try await office.signIn("li#1", during: mei.tokens) }
            #expect(error?.code == .conflict)
            #expect(error?.reason == .providerAlreadyLinked)
            #expect(error?.underlying as? SignInRefusal == .occupied(.wechat))
            #expect(try await office.signIn("li#2").tokens.customer != mei.tokens.customer)
            #expect(try await office.session(mei.tokens)?.customer == mei.tokens.customer)
        }
    }

    @Test("what belongs to another identified customer is refused, changes neither, and is shown as a signal on both")
    func taken() async throws {
        try await SignInOffice.run { office in
            let mei = try await office.signIn("mei#1")
            let ada = try await office.mint("ada", isAnonymous: false)
            let error = await office.refusal { try await office.signIn("mei#2", during: ada) }
            #expect(error?.code == .conflict)
            #expect(error?.underlying as? SignInRefusal == .taken(.wechat))
            for customer in [mei.tokens.customer, ada.customer] {
                let details = try await office.office.database.read { reader in
                    try await reader.screens.customer(id: customer, app: office.app, seesPersonalData: false)
                }
                #expect(details?.fraud.signals == [.refusedIdentity(.wechat)])
            }
            #expect(try await office.count("customers WHERE merged_into IS NOT NULL") == 0)
            #expect(try await office.count("audit_entries WHERE action = 'identity.refuse'") == 1)
        }
    }

    @Test("a code, a token and a nonce are good once")
    func used() async throws {
        try await SignInOffice.run { office in
            func sign(_ token: String, nonce: String?) async throws {
                _ = try await office.backOffice.signIn(
                    SignInRequest(provider: .apple, identityToken: Secret(token), nonce: nonce),
                    of: office.app,
                    caller: SignInOffice.caller
                )
            }
            try await office.signIn("mei#1")
            let code = await office.refusal { try await office.signIn("mei#1") }
            #expect(code?.underlying as? SignInRefusal == .failed(.wechat, .usedCode))
            try await sign("mei#1", nonce: "n1")
            for (token, nonce) in [("mei#1", "n2"), ("mei#2", "n1")] {
                let error = await office.refusal { try await sign(token, nonce: nonce) }
                #expect((error?.code, error?.field) == (.notAuthentic, "identityToken"))
            }
            try await sign("mei#3", nonce: "n3")
            #expect(try await office.count("customers") == 2)
            office.office.clock.advance(by: 4 * 86_400)
            #expect(try await office.backOffice.forgetUsedCredentials() > 0)
        }
    }

    @Test("what the provider refuses is told apart, and makes nobody")
    func refused() async throws {
        try await SignInOffice.run { office in
            let cases: [(String, OperationsError.Code, SignInRefusal)] = [
                ("invalid", .notAuthentic, .failed(.wechat, .invalidCode)),
                ("denied", .notAuthentic, .failed(.wechat, .denied)), ("away", .overloaded, .unreachable(.wechat)),
            ]
            for (code, kind, refusal) in cases {
                let error = await office.refusal { try await office.signIn(code) }
                #expect(error?.code == kind)
                #expect(error?.underlying as? SignInRefusal == refusal)
            }
            let away = await office.refusal { try await office.signIn("away") }
            #expect(away?.retryAfter == 7)
            _ = try await office.office.pool.query("DELETE FROM store_accounts WHERE store = 'alipay'")
            // Apps are cached for ten seconds.
            office.office.clock.advance(by: 11)
            let missing = await office.refusal { try await office.signIn("mei#1", at: .alipay) }
            #expect((missing?.code, missing?.field) == (.conflict, "provider"))
            #expect(try await office.count("customers") == 0)
        }
    }

    @Test("a customer's own profile replaces what the provider said, and stays when they sign in again")
    func profile() async throws {
        try await SignInOffice.run { office in
            let mei = try await office.signIn("mei#1").tokens.customer
            try await office.backOffice.setProfile(
                ProfileRequest(displayName: " 美 ", email: nil, avatarURL: "https://example.com/b.png"),
                of: mei,
                app: office.app
            )
            let again = try await office.signIn("mei#2").profile
            #expect(again.name?.shown(to: DataSubject()) == "美")
            #expect(again.avatarURL?.shown(to: DataSubject()) == "https://example.com/b.png")
        }
    }

    @Test(
        "what cannot be shown is refused by its field",
        arguments: [
            ("", nil, nil, "displayName"), ("  ", nil, nil, "displayName"), ("a\0", nil, nil, "displayName"),
            ("a\nb", nil, nil, "displayName"), (String(repeating: "a", count: 100_000), nil, nil, "displayName"),
            ("Ada", "ada", nil, "email"), ("Ada", "a@b@c", nil, "email"), ("Ada", "a b@c", nil, "email"),
            ("Ada", String(repeating: "a", count: 254) + "@b", nil, "email"),
            ("Ada", nil, "javascript:alert(1)", "avatarURL"),
            ("Ada", nil, "https://", "avatarURL"), ("Ada", nil, "https://a b", "avatarURL"),
            ("Ada", nil, "https://example.com/" + String(repeating: "a", count: 2_048), "avatarURL"),
        ] as [(String, String?, String?, String)]
    )
    func profileRules(name: String, email: String?, avatar: String?, field: String) {
        let error = #expect(throws: OperationsError.self) {
            _ = try ProfileRequest(displayName: name, email: email, avatarURL: avatar)
        }
        #expect(error?.problems.map(\.field) == [field])
    }
}
