import Billing
import Foundation
import Operations
import Postgres
import Storage
import Testing

/// Checks the lightgallery document's properties of sign-in, each on many made-up attempts of one app. A failure prints its seed.
@Suite("properties of the lightgallery document: sign-in") struct SignInProperties {
    static let seeds: Range<UInt64> = 0..<120

    @Test("Property 1: OAuth Provider Routing")
    func routing() async throws {
        try await SignInOffice.run { office in
            var accepted: [AuthProvider: [String]] = [:]
            for seed in Self.seeds {
                var random = SeededGenerator(seed: seed)
                let provider = try #require(AuthProvider.allCases.randomElement(using: &random))
                let names = ["invalid", "denied", "away", "mei", "ada", "zeynep", "用户"]
                let fresh = "\(try #require(names.randomElement(using: &random)))#\(seed)"
                let used = Int.random(in: 0..<10, using: &random) == 0 ? accepted[provider]?.last : nil
                let code = used ?? fresh
                let before = office.asked
                let outcome = await office.outcome(of: code, at: provider)
                var expected = before
                expected[provider, default: []].append(code)
                // Only the provider that was named was asked, and with this code.
                #expect(office.asked == expected, "seed \(seed): \(provider)")
                switch outcome {
                case .success(let signedIn):
                    #expect(!SignInAttempt.isRefused(code) && used == nil, "seed \(seed)")
                    #expect(signedIn.profile.providers == [provider], "seed \(seed)")
                    let session = try await office.session(signedIn.tokens)
                    #expect(session?.customer == signedIn.tokens.customer, "seed \(seed)")
                    accepted[provider, default: []].append(code)
                case .failure(let error):
                    let refusal = error.underlying as? SignInRefusal
                    #expect(refusal == SignInAttempt.refusal(of: code, at: provider), "seed \(seed)")
                }
            }
            #expect(accepted.count == AuthProvider.allCases.count)
        }
    }

    @Test("Property 2: Successful Authentication Storage")
    func storage() async throws {
        try await SignInOffice.run { office in
            var known: [String: Customer.ID] = [:]
            for seed in Self.seeds {
                var random = SeededGenerator(seed: seed)
                let provider = try #require(AuthProvider.allCases.randomElement(using: &random))
                let name = SignInAttempt.names[Int.random(in: 0..<SignInAttempt.names.count, using: &random)]
                // Beside the name that the provider always gives, one that it gives some devices.
                let other = Bool.random(using: &random) ? ["\(name) on \(Int.random(in: 0..<3, using: &random))"] : []
                let code = (([name] + other).shuffled(using: &random)).joined(separator: "+") + "#\(seed)"
                let signedIn = try await office.signIn(code, at: provider)
                let customer = signedIn.tokens.customer
                let person = "\(provider.rawValue) \(name)"
                #expect(signedIn.isNew == (known[person] == nil), "seed \(seed): \(person)")
                if let before = known[person] {
                    #expect(customer == before, "seed \(seed): \(person)")
                } else {
                    #expect(!known.values.contains(customer), "seed \(seed): \(person)")
                }
                known[person] = customer
                #expect(try await office.session(signedIn.tokens)?.customer == customer, "seed \(seed)")
                #expect(signedIn.tokens.refreshToken != nil, "seed \(seed)")
                #expect(signedIn.profile.providers == [provider], "seed \(seed)")
            }
            #expect(try await office.count("customers WHERE identified_at IS NOT NULL") == known.count)
            #expect(try await office.count("sign_in_identities") == known.count)
        }
    }

    @Test("Property 3: Authentication Error Handling")
    func failures() async throws {
        try await SignInOffice.run { office in
            let mei = try await office.signIn("mei#0").tokens
            let device = try await office.mint("device", isAnonymous: true)
            let ada = try await office.mint("ada", isAnonymous: false)
            let stored = try await office.stored()
            for seed in Self.seeds {
                var random = SeededGenerator(seed: seed)
                let kinds = ["invalid", "denied", "away", "used", "another's"]
                let kind = try #require(kinds.randomElement(using: &random))
                var provider = try #require(AuthProvider.allCases.randomElement(using: &random))
                var session = [nil, mei, device, ada].randomElement(using: &random) ?? nil
                var code = "\(kind)#\(seed)"
                switch kind {
                case "used": (code, provider) = ("mei#0", .wechat)
                // A known customer signs in as another known customer.
                case "another's": (code, provider, session) = ("mei#1\(seed)", .wechat, ada)
                default: break
                }
                let outcome = await office.outcome(of: code, at: provider, during: session)
                guard case .failure(let error) = outcome else {
                    Issue.record("seed \(seed): \(code) was taken")
                    continue
                }
                let expected = kind == "another's" ? .taken(.wechat) : SignInAttempt.refusal(of: code, at: provider)
                #expect(error.underlying as? SignInRefusal == expected, "seed \(seed): \(code)")
                #expect(try await office.stored() == stored, "seed \(seed): \(code)")
            }
        }
    }
}

/// The scripted provider's answers to codes.
private enum SignInAttempt {
    /// Names of people, some of which differ by little.
    static let names = [
        "mei", "Mei", "MEI", "mei ", "ada", "ada%", "ada_", "a'da", "\"ada\"", "ş", "s", "用户", "o1", "01",
    ]

    static func isRefused(_ code: String) -> Bool { ["invalid", "denied", "away"].contains { code.hasPrefix($0) } }

    static func refusal(of code: String, at provider: AuthProvider) -> SignInRefusal {
        if code.hasPrefix("invalid") { return .failed(provider, .invalidCode) }
        if code.hasPrefix("denied") { return .failed(provider, .denied) }
        return code.hasPrefix("away") ? .unreachable(provider) : .failed(provider, .usedCode)
    }
}

extension SignInOffice {
    /// The codes that each provider was asked about.
    fileprivate var asked: [AuthProvider: [String]] {
        Dictionary(uniqueKeysWithValues: providers.map { ($0.provider, $0.asked) }).filter { !$0.value.isEmpty }
    }

    fileprivate func outcome(
        of code: String,
        at provider: AuthProvider,
        during tokens: CustomerTokens? = nil
    ) async -> Result<SignedIn, OperationsError> {
        do {
            return .success(try await signIn(code, at: provider, during: tokens))
        } catch let error as OperationsError {
            return .failure(error)
        } catch {
            Issue.record(error)
            return .failure(OperationsError(.invalid, "\(error)"))
        }
    }

    /// Returns all customers, their identities, and their sessions.
    fileprivate func stored() async throws -> [String] {
        try await lines(
            """
            SELECT concat_ws(' ', id, key, external_id, name, email, identified_at, merged_into) FROM customers
            UNION ALL SELECT i::text FROM sign_in_identities i
            UNION ALL SELECT s::text FROM sign_in_subjects s
            UNION ALL SELECT concat_ws(' ', id, customer_id, method, ended_at) FROM customer_sessions
            ORDER BY 1
            """
        )
    }
}
