import Billing
import Foundation
import Gateways
import Operations
import Server
import StoreSimulator
import Testing

@Suite("Catalogue files") struct CatalogFileTests {
    @Test("a whole file is read")
    func whole() throws {
        let catalog = try Self.read(Self.shop)
        #expect(catalog.app == "shop")
        #expect(catalog.timeZone == "Asia/Shanghai")
        #expect(
            catalog.accounts == [
                .apple: .apple(bundleID: "test.shop", appAppleID: 12, isSimulated: false, anchors: [])
            ]
        )
        #expect(catalog.plans.map(\.plan) == [Plan(code: "FREE", rank: 0), Plan(code: "PRO", rank: 1)])
        let product = try #require(catalog.products.first)
        #expect(product.id == "pro.monthly")
        #expect(product.period == BillingPeriod(1, .month))
        #expect(product.trial == BillingPeriod(7, .day))
        #expect(product.prices.map(\.minorUnits) == [1_800, 300])
        #expect(product.prices.map(\.currency.code) == ["CNY", "JPY"])
    }

    @Test("the catalogues that come with the product are good")
    func shipped() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let files = try FileManager.default.contentsOfDirectory(atPath: root.appending(path: "Catalogs").path)
            .filter { $0.hasSuffix(".yaml") }
        #expect(files.contains("readmigo.yaml"))
        for file in files {
            let catalog = try CatalogFile.read(root.appending(path: "Catalogs/\(file)").path)
            #expect("\(catalog.app).yaml" == file)
        }
    }

    @Test("each problem names its field", arguments: Fault.all + Fault.ofTokens)
    func problems(_ fault: Fault) throws {
        let text = Self.shop.replacingOccurrences(of: fault.instead, with: fault.written)
        #expect(text != Self.shop, "\(fault.instead) is not in the file")
        let error = #expect(throws: OperationsError.self) { try Self.read(text) }
        #expect(error?.code == .invalid)
        #expect(error?.message.contains(fault.told) == true, "\(error?.message ?? "")")
        if let field = fault.field { #expect(error?.field == field) }
    }

    @Test("the web pages that may call and the app's own issuer are read")
    func tokens() throws {
        let section = """
            name: Shop
            cors: [https://a.example, "https://b.example:8443", http://localhost:5173]
            tokens: { issuer: https://i.example, audience: shop, jwks: http://127.0.0.1:8000/keys, algorithms: [EdDSA], claim: uid }
            """
        let catalog = try Self.read(Self.shop.replacingOccurrences(of: "name: Shop", with: section))
        #expect(catalog.corsOrigins == ["https://a.example", "https://b.example:8443", "http://localhost:5173"])
        #expect(
            catalog.tokenIssuer
                == TokenIssuer(
                    issuer: "https://i.example",
                    audience: "shop",
                    keySetURL: "http://127.0.0.1:8000/keys",
                    algorithms: [.eddsa],
                    claim: "uid"
                )
        )
        #expect(try Self.read(Self.shop).tokenIssuer == nil)
        let uploaded = "name: Shop\ntokens: { issuer: https://i.example, audience: shop, algorithms: [HS256] }"
        let issuer = try Self.read(Self.shop.replacingOccurrences(of: "name: Shop", with: uploaded)).tokenIssuer
        #expect(issuer == TokenIssuer(issuer: "https://i.example", audience: "shop", algorithms: [.hs256]))
    }

    @Test("the app's own rate limits are read")
    func rateLimits() throws {
        let section = """
            name: Shop
            rateLimits: { session: 300/60, customer: 1/1, key: 1000000/86400, receipts: 10/60 }
            """
        let catalog = try Self.read(Self.shop.replacingOccurrences(of: "name: Shop", with: section))
        #expect(
            catalog.rateLimits == [
                .session: RateLimit(checked: 300, 60), .customer: RateLimit(checked: 1, 1),
                .key: RateLimit(checked: 1_000_000, 86_400), .receipts: RateLimit(checked: 10, 60),
            ]
        )
        #expect(try Self.read(Self.shop).rateLimits == [:])
    }

    @Test("a file that is not there is named")
    func missing() {
        let error = #expect(throws: OperationsError.self) { try CatalogFile.read("/nonexistent/shop.yaml") }
        #expect(error?.message == "/nonexistent/shop.yaml cannot be read.")
    }

    @Test("an anchor is named by env: or file:, relative to the catalogue, in PEM or DER")
    func anchors() throws {
        let authority = try TestAuthority()
        let pem =
            "-----BEGIN CERTIFICATE-----\n"
            + Data(authority.root).base64EncodedString(options: .lineLength64Characters)
            + "\n-----END CERTIFICATE-----\n"
        let folder = try Self.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data(authority.root).write(to: folder.appending(path: "root.der"))
        try Data(pem.utf8).write(to: folder.appending(path: "root.pem"))
        let variable = "PERENNIAL_TEST_ANCHOR"
        setenv(variable, pem, 1)
        defer { unsetenv(variable) }
        for reference in ["file:root.der", "file:root.pem", "file:\(folder.path)/root.der", "env:\(variable)"] {
            let text = Self.shop.replacingOccurrences(of: "appAppleId: 12", with: "anchors: [\"\(reference)\"]")
            let file = folder.appending(path: "shop.yaml")
            try Data(text.utf8).write(to: file)
            #expect(try CatalogFile.read(file.path).accounts[.apple]?.anchors == [authority.root], "\(reference)")
        }
    }

    @Test("a secret in the file itself is refused, and not repeated")
    func plainSecret() throws {
        let text = Self.shop.replacingOccurrences(of: "appAppleId: 12", with: "anchors: [hunter2]")
        let error = #expect(throws: OperationsError.self) { try Self.read(text) }
        #expect(error?.field == "apple.anchors[0]")
        #expect(error?.message.contains("hunter2") == false)
        #expect(error?.message.contains("env:NAME or file:PATH") == true)
    }

    @Test("a simulator's roots, of messages and of receipts, replace the app's trust in Apple")
    func simulator() throws {
        let folder = try Self.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "shop.yaml")
        try Data(Self.shop.utf8).write(to: file)
        let catalog = try CatalogFile.read(file.path, simulator: [[1, 2, 3], [4]])
        #expect(catalog.accounts[.apple]?.isSimulated == true)
        #expect(catalog.accounts[.apple]?.anchors == [[1, 2, 3], [4]])
    }

    @Test("Apple's section names the shared secret, verifyReceipt and Sign in with Apple")
    func appleSecrets() throws {
        let folder = try Self.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data("0a1b2c\n".utf8).write(to: folder.appending(path: "shared.txt"))
        try Data("the key".utf8).write(to: folder.appending(path: "AuthKey.p8"))
        let file = folder.appending(path: "shop.yaml")
        func account(_ lines: String) throws -> StoreAccount? {
            try Data(Self.shop.replacingOccurrences(of: "appAppleId: 12", with: lines).utf8).write(to: file)
            return try CatalogFile.read(file.path).accounts[.apple]
        }
        let named = try #require(
            try account(
                """
                sharedSecret: file:shared.txt
                  verifyReceipt: {production: "https://a.example", sandbox: "https://b.example"}
                  id: {clientIds: [test.shop, test.web], teamId: TEAM, keyId: KEY, privateKey: "file:AuthKey.p8"}
                """
            )
        )
        #expect(named.sharedSecret?.revealed == "0a1b2c")
        #expect(named.settings[AppleSetting.clientIDs] == "test.shop test.web")
        #expect(named.settings[AppleSetting.sandboxVerifyReceipt] == "https://b.example")
        #expect(named.settings[AppleSetting.teamID] == "TEAM")
        #expect(named.settings[AppleSetting.signInKeyID] == "KEY")
        #expect(named.secrets[AppleSetting.signInPrivateKey]?.revealed == "the key")
        for (lines, field) in [
            ("sharedSecret: hunter2", "apple.sharedSecret"),
            ("id: {clientIds: [\"test.shop test.web\"]}", "apple.id.clientIds[0]"),
            ("id: {clientIds: [\"\"]}", "apple.id.clientIds[0]"),
            ("id: {teamId: \"\"}", "apple.id.teamId"),
            ("api: {issuerId: \"\"}", "apple.api.issuerId"),
            ("verifyReceipt: {sandbox: \"\"}", "apple.verifyReceipt.sandbox"),
            ("id: {privateKey: hunter2}", "apple.id.privateKey"),
            ("api: {privateKey: hunter2}", "apple.api.privateKey"),
        ] {
            let error = #expect(throws: OperationsError.self) { _ = try account(lines) }
            #expect(error?.field == field)
            #expect(error?.message.contains("hunter2") == false)
        }
    }

    @Test("an app that trusts a simulator loses what would ask Apple")
    func simulatorAsksNobodyElse() throws {
        let folder = try Self.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data("secret".utf8).write(to: folder.appending(path: "a"))
        let file = folder.appending(path: "shop.yaml")
        let lines = """
            sharedSecret: file:a
              api: {issuerId: I, keyId: K, privateKey: "file:a"}
              id: {clientIds: [test.shop], teamId: TEAM, keyId: KEY, privateKey: "file:a"}
            """
        try Data(Self.shop.replacingOccurrences(of: "appAppleId: 12", with: lines).utf8).write(to: file)
        let account = try #require(try CatalogFile.read(file.path, simulator: [[1]]).accounts[.apple])
        #expect(account.settings == [:])
        #expect(account.secrets == [:])
    }

    /// A fault in the good file: the line that it replaces, its own text, and the error that it causes.
    struct Fault: Sendable, CustomTestStringConvertible {
        var instead: String
        var written: String
        var field: String?
        var told: String

        var testDescription: String { "\(written.debugDescription): \(told)" }

        init(_ instead: String, _ written: String, _ field: String?, _ told: String) {
            self.instead = instead
            self.written = written
            self.field = field
            self.told = told
        }

        static let all = [
            Fault("app: shop", "app: Shop", "app", "app is a slug"),
            Fault("app: shop", "app: \"\"", "app", "app is a slug"),
            Fault("app: shop", "app: [shop]", nil, "app is of the wrong type"),
            Fault("app: shop\n", "", nil, "app is missing"),
            Fault("name: Shop", "name: \"\"", "name", "name is a text of 1 to 200 characters"),
            Fault("name: Shop", "name: \"a\\0b\"", "name", "without control characters"),
            Fault("Asia/Shanghai", "Asia/Atlantis", "timeZone", "timeZone is no IANA time zone"),
            Fault("reportingCurrency: CNY", "reportingCurrency: yuan", "reportingCurrency", "ISO 4217"),
            Fault("name: Shop", "name: Shop\ncheckoutMinutes: 4", "checkoutMinutes", "is from 5 to 120"),
            Fault("name: Shop", "name: Shop\ncheckoutMinutes: 121", "checkoutMinutes", "is from 5 to 120"),
            Fault("bundleId: test.shop", "bundleId: \"\"", "apple.bundleId", "apple.bundleId is a text"),
            Fault("bundleId: test.shop", "environment: store", nil, "apple.bundleId is missing"),
            Fault("bundleId: test.shop", "bundle: test.shop", "apple.bundle", "(the nearest is bundleId)"),
            Fault("appAppleId: 12", "appAppleId: twelve", nil, "apple.appAppleId is of the wrong type"),
            Fault("appAppleId: 12", "environment: moon", "apple.environment", "is store or simulator"),
            Fault("appAppleId: 12", "environment: simulator", "apple.anchors", "are needed where"),
            Fault("appAppleId: 12", "anchors: [file:nothing.der]", "apple.anchors[0]", "names nothing that is there"),
            Fault(
                "appAppleId: 12",
                "anchors: [env:PERENNIAL_NO_SUCH]",
                "apple.anchors[0]",
                "names nothing that is there"
            ),
            Fault("rank: 1 }", "rank: -1 }", "plans[1].rank", "is from 0 to 999"),
            Fault("rank: 1 }", "rank: 1000 }", "plans[1].rank", "is from 0 to 999"),
            Fault("rank: 1 }", "rank: one }", nil, "plans[1].rank is of the wrong type"),
            Fault("rank: 1 }", "rank: 99999999999999999999 }", nil, "plans[1].rank is of the wrong type"),
            Fault("rank: 1 }", "rank: 0 }", "plans[1].rank", "is there twice: 0"),
            Fault("code: PRO", "code: FREE", "plans[1].code", "is there twice: FREE"),
            Fault("code: PRO", "code: \"\"", "plans[1].code", "is a text"),
            Fault("name: Pro,", "", nil, "plans[1].name is missing"),
            Fault("store: apple", "store: steam", "products[0].store", "is one of apple"),
            Fault("plan: PRO", "plan: GOLD", "products[0].plan", "is none of the plans above: GOLD"),
            Fault("id: pro.monthly", "id: \"\"", "products[0].id", "is a text"),
            Fault("id: pro.yearly", "id: pro.monthly", "products[1].id", "is there twice: apple pro.monthly"),
            Fault("period: P1M", "period: monthly", "products[0].period", "is a period such as"),
            Fault("period: P1M", "period: P0M", "products[0].period", "is a period such as"),
            Fault("period: P1M", "period: P99999999999M", "products[0].period", "is a period such as"),
            Fault("trial: P7D", "trial: P1M7D", "products[0].trial", "is a period such as"),
            Fault("CNY: \"18.00\"", "yuan: \"18.00\"", "products[0].prices.yuan", "ISO 4217"),
            Fault("CNY: \"18.00\"", "CNY: \"18.001\"", "products[0].prices.CNY", "at most 2 decimals"),
            Fault("CNY: \"18.00\"", "CNY: \"-1\"", "products[0].prices.CNY", "is an amount"),
            Fault("CNY: \"18.00\"", "CNY: \"99999999999999999999\"", "products[0].prices.CNY", "is an amount"),
            Fault("JPY: \"300\"", "JPY: \"300.5\"", "products[0].prices.JPY", "at most 0 decimals"),
            Fault("reportingCurrency: CNY", fees("steam", "15"), "stores.steam", "is no store; stores are apple"),
            Fault("reportingCurrency: CNY", fees("apple", "100.01"), "stores.apple.fees.firstYear", "from 0 to 100"),
            Fault("reportingCurrency: CNY", fees("apple", "-1"), "stores.apple.fees.firstYear", "from 0 to 100"),
            Fault("reportingCurrency: CNY", fees("apple", "0.125"), "stores.apple.fees.firstYear", "two decimals"),
            Fault(
                "reportingCurrency: CNY",
                fees("wechat", "1, later: lots"),
                "stores.wechat.fees.later",
                "from 0 to 100"
            ),
            Fault(
                "reportingCurrency: CNY",
                terms("CN: [{ firstYear: 1 }]"),
                "stores.apple.fees.storefronts.CN",
                "is no storefront"
            ),
            Fault(
                "reportingCurrency: CNY",
                terms("CHN: [{ firstYear: 1 }, { firstYear: 2 }]"),
                "stores.apple.fees.storefronts.CHN",
                "two lines of a date"
            ),
            Fault(
                "reportingCurrency: CNY",
                terms("CHN: [{ since: 2026-13-01, firstYear: 1 }]"),
                "stores.apple.fees.storefronts.CHN[0].since",
                "is a day such as"
            ),
            Fault(
                "reportingCurrency: CNY",
                "reportingCurrency: CNY\nstores: { apple: { soldOn: mac } }",
                "stores.apple.soldOn",
                "is ios"
            ),
            Fault(
                "reportingCurrency: CNY",
                "reportingCurrency: CNY\nstores: { apple: { fees: { later: 1 } } }",
                "stores.apple.fees.firstYear",
                "is missing"
            ),
            Fault("products:", rules("sending: never"), "consumption.sending", "is automatic or deadline"),
            Fault(
                "products:",
                rules(rule("GRANT")),
                "consumption.rules[0].answer",
                "is one of GRANT_FULL, GRANT_PRORATED"
            ),
            Fault("products:", rules("rules: [{ answer: DECLINE }]"), nil, "consumption.rules[0].name is missing"),
            Fault(
                "products:",
                rules(rule("DECLINE, plan: GOLD")),
                "consumption.rules[0].plan",
                "none of the plans above"
            ),
            Fault(
                "products:",
                rules(rule("DECLINE, ageInDays: { from: 3, to: 2 }")),
                "consumption.rules[0].ageInDays",
                "begins after it ends: from 3 to 2"
            ),
            Fault(
                "products:",
                rules(rule("DECLINE, refunds: {}")),
                "consumption.rules[0].refunds",
                "says from, to, or both"
            ),
            Fault(
                "products:",
                rules(rule("DECLINE, refunds: { from: -1 }")),
                "consumption.rules[0].refunds.from",
                "is from 0"
            ),
            Fault(
                "products:",
                rules(rule("DECLINE, usedPercent: { to: 101 }")),
                "consumption.rules[0].usedPercent.to",
                "is from 0 to 100"
            ),
            Fault(
                "products:",
                rules(rule("DECLINE, usedPercent: { to: 99999999999999999999 }")),
                nil,
                "consumption.rules[0].usedPercent.to is of the wrong type"
            ),
            Fault(
                "products:",
                rules(rule("DECLINE, consumptionPercent: \"0.0001\"")),
                "consumption.rules[0].consumptionPercent",
                "at most three decimals"
            ),
            Fault(
                "products:",
                rules(rule("GRANT_PRORATED, consumptionPercent: 100")),
                "consumption.rules[0].consumptionPercent",
                "is above 0 and below 100 with GRANT_PRORATED"
            ),
            Fault("name: Shop", "name: Shop\ntrial: none", nil, "trial is of the wrong type"),
            Fault("products:", "products: none\nrest:", "rest", "rest is no setting"),
            Fault("app: shop", "app: shop\n\t- :", nil, "is not the YAML of a catalogue"),
        ]
    }

    /// Returns the fees of a store, in place of the line of the currency.
    private static func fees(_ store: String, _ firstYear: String) -> String {
        "reportingCurrency: CNY\nstores: { \(store): { fees: { firstYear: \(firstYear) } } }"
    }

    /// Terms of Apple's in some storefronts.
    private static func terms(_ storefronts: String) -> String {
        "reportingCurrency: CNY\nstores: { apple: { fees: { storefronts: { \(storefronts) } } } }"
    }

    private static func rules(_ section: String) -> String { "consumption: { \(section) }\nproducts:" }

    private static func rule(_ answer: String) -> String { "rules: [{ name: any, answer: \(answer) }]" }

    @Test("the answers to a store that asks about a refund are read in their order; without them there is none")
    func consumption() throws {
        let text = Self.shop.replacingOccurrences(
            of: "products:",
            with: """
                consumption:
                  sending: automatic
                  providesSamples: true
                  rules:
                    - { name: often, refunds: { from: 3 }, answer: DECLINE }
                    - name: fresh
                      plan: PRO
                      ageInDays: { to: 2 }
                      usedPercent: { from: 0, to: 10 }
                      answer: GRANT_PRORATED
                      consumptionPercent: "12.5"
                products:
                """
        )
        #expect(
            try Self.read(text).consumption
                == ConsumptionPolicy(
                    sending: .automatic,
                    providesSamples: true,
                    rules: [
                        ConsumptionRule(name: "often", refunds: .init(from: 3), answer: .decline),
                        ConsumptionRule(
                            name: "fresh",
                            plan: "PRO",
                            ageInDays: .init(to: 2),
                            usedPercent: .init(from: 0, to: 10),
                            answer: .grantProrated,
                            consumptionPercentage: 12_500
                        ),
                    ]
                )
        )
        #expect(try Self.read(Self.shop).consumption == ConsumptionPolicy(sending: .deadline))
    }

    @Test("what a store keeps is read in percent, exactly")
    func storeFees() throws {
        let text = Self.shop.replacingOccurrences(
            of: "reportingCurrency: CNY",
            with: """
                reportingCurrency: CNY
                stores:
                  apple: { fees: { firstYear: 15, later: "12.5" } }
                  wechat: { fees: { firstYear: 0.6 } }
                  google: { fees: { firstYear: 100, later: 0 } }
                """
        )
        #expect(
            try Self.read(text).fees == [
                .apple: StoreFee(firstYear: 1_500, later: 1_250), .wechat: StoreFee(firstYear: 60, later: 60),
                .google: StoreFee(firstYear: 10_000, later: 0),
            ]
        )
        #expect(try Self.read(Self.shop).fees.isEmpty)
    }

    @Test("a storefront's terms are read with their dates, in one order, and where the app is sold")
    func storeTerms() throws {
        let text = Self.shop.replacingOccurrences(
            of: "reportingCurrency: CNY",
            with: """
                reportingCurrency: CNY
                stores:
                  apple:
                    soldOn: ios
                    fees:
                      storefronts:
                        KOR: [{ since: 2026-09-01, firstYear: 26, later: 15 }, { since: 2026-03-01, firstYear: 27 }]
                        CHN: [{ firstYear: 12 }]
                """
        )
        let fee = try #require(try Self.read(text).fees[.apple])
        #expect(fee.share == nil && fee.isOnIOSOnly)
        #expect(fee.storefronts.map(\.number) == [100, 101, 102])
        #expect(fee.storefronts.map(\.storefronts) == [["CHN"], ["KOR"], ["KOR"]])
        #expect(
            fee.storefronts.map(\.since)
                == [nil, Date(timeIntervalSince1970: 1_772_323_200), Date(timeIntervalSince1970: 1_788_220_800)]
        )
        #expect(fee.storefronts.map(\.share.firstYear) == [1_200, 2_700, 2_600])
        #expect(fee.storefronts.map(\.share.later) == [1_200, 2_700, 1_500])
    }

    static let shop = """
        app: shop
        name: Shop
        timeZone: Asia/Shanghai
        reportingCurrency: CNY
        apple:
          bundleId: test.shop
          appAppleId: 12
        plans:
          - { code: FREE, name: Free, rank: 0 }
          - { code: PRO, name: Pro, rank: 1 }
        products:
          - store: apple
            id: pro.monthly
            plan: PRO
            name: Pro monthly
            period: P1M
            trial: P7D
            prices: { CNY: "18.00", JPY: "300" }
          - { store: apple, id: pro.yearly, plan: PRO, name: Pro yearly, period: P1Y }

        """

    static func read(_ text: String) throws -> Catalog {
        let folder = try folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "shop.yaml")
        try Data(text.utf8).write(to: file)
        return try CatalogFile.read(file.path)
    }

    private static func folder() throws -> URL {
        let folder = FileManager.default.temporaryDirectory.appending(path: "perennial-catalog-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder
    }
}
