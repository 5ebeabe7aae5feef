import Billing
import Foundation
import Gateways
import Jobs
import Operations
import Postgres
import Storage
import TestSupport
import Testing

/// A back office whose app signs people in at three scripted providers.
struct SignInOffice: Sendable {
    let office: TestOffice
    let backOffice: BackOffice
    let providers: [ScriptedSignIn]
    let apple: ScriptedSignIn
    let app: App.ID

    static func run(_ body: (SignInOffice) async throws -> Void) async throws {
        try await TestOffice.run { office in
            let providers = AuthProvider.allCases.map(ScriptedSignIn.init)
            let apple = try #require(providers.first { $0.provider == .apple })
            let app = try await office.app()
            for provider in providers where provider.provider != .apple {
                _ = try await office.pool.query(
                    """
                    INSERT INTO store_accounts (app_id, store, identifier, environment)
                    VALUES (\(app), \(provider.store.rawValue), 'id', 'store')
                    """
                )
            }
            let backOffice = server(of: office, providers)
            try await body(
                SignInOffice(office: office, backOffice: backOffice, providers: providers, apple: apple, app: app)
            )
        }
    }

    private static func server(of office: TestOffice, _ providers: [ScriptedSignIn]) -> BackOffice {
        office.anotherServer(secret: TestOffice.secret, gateways: StoreGateways(providers))
    }

    func otherServer() -> BackOffice { Self.server(of: office, [apple]) }

    static let caller = Caller(.stranger(claiming: nil), actor: "customer")

    @discardableResult
    func signIn(
        _ code: String,
        at provider: AuthProvider = .wechat,
        during tokens: CustomerTokens? = nil
    ) async throws -> SignedIn {
        var session: CustomerSession?
        if let tokens { session = try await backOffice.customerSession(tokens.accessToken.revealed) }
        return try await backOffice.signIn(
            SignInRequest(provider: provider, code: Secret(code)),
            of: app,
            during: session,
            caller: Self.caller
        )
    }

    func mint(_ name: String, isAnonymous: Bool) async throws -> CustomerTokens {
        try await backOffice.mintToken(
            for: CustomerIdentity(externalID: name, isAnonymous: isAnonymous),
            of: app,
            caller: .commandLine
        )
    }

    func refusal(_ body: () async throws -> Void) async -> OperationsError? {
        await #expect(throws: OperationsError.self) { try await body() }
    }

    func delete(_ customer: Customer.ID) async throws -> Bool {
        try await backOffice.deleteAccount(
            of: customer,
            app: app,
            caller: Caller(.customer(customer), actor: "customer")
        )
    }

    func session(_ tokens: CustomerTokens, on server: BackOffice? = nil) async throws -> CustomerSession? {
        try await (server ?? backOffice).customerSession(tokens.accessToken.revealed)
    }

    func count(_ table: String) async throws -> Int { try await office.count(table) }

    func lines(_ query: Query) async throws -> [String] { try await office.lines(query) }
}
