import Billing
import Foundation
import Gateways
import Operations
import Postgres
import Storage
import StoreSimulator
import Testing

@Suite("Whose a purchase at Google Play is, proven by its token") struct GooglePurchaseTests {
    /// A cell of the table in docs/api/purchases.md: the row, and what becomes of it by a purchase token.
    struct Cell: Sendable, CustomTestStringConvertible {
        var claimant: String
        var owner: String
        var result: String
        var testDescription: String { "\(claimant) shows a purchase of \(owner): \(result)" }
    }

    static let cells: [Cell] = {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")
        let text = try? String(contentsOf: root.appending(path: "docs/api/purchases.md"), encoding: .utf8)
        let rows = (text ?? "").split(separator: "\n").filter { $0.hasPrefix("|") }.map { line in
            line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
        }
        guard let head = rows.first(where: { $0.last == "purchase token" && $0.first == "claimant" }) else { return [] }
        return rows.filter { ["anonymous", "minted", "signed in"].contains($0[0]) && $0.count == head.count }
            .map { Cell(claimant: $0[0], owner: $0[1], result: $0[2]) }
    }()

    @Test("the table has a row for each claimant and owner") func complete() {
        #expect(Self.cells.count == 18)
    }

    @Test(
        "each row of the table holds for a token that is shown first and one that is old, and opens no account",
        arguments: cells
    )
    func table(cell: Cell) async throws {
        for isOld in [false, true] {
            try await GoogleOffice.run { office in
                let token = office.google.buy(GoogleOffice.monthly)
                try await Self.give(token, to: cell.owner, office)
                office.days(isOld ? 3 : 0.01)
                let before = try await office.owner(of: token)
                let claim = try await office.verify(token, for: "claimant", isAnonymous: cell.claimant == "anonymous")
                let after = try await office.owner(of: token)
                let records = try await office.lines(
                    "SELECT external_id FROM customers WHERE external_id IS NOT NULL AND merged_into IS NULL ORDER BY 1"
                )
                switch cell.result {
                case "theirs", "moves":
                    #expect(after == "claimant")
                    #expect(try await office.hasAccess(claim))
                case "one":
                    #expect(after == before)
                    #expect(records.count == 1)
                    #expect(try await office.hasAccess(claim))
                case "setting", "refused":
                    #expect(after == before)
                    #expect(records.contains("claimant"))
                    #expect(try await !office.hasAccess(claim))
                default: Issue.record("no such result: \(cell.result)")
                }
                #expect(claim.state == .verified)
            }
        }
    }

    /// Makes the purchase somebody's.
    private static func give(_ token: String, to owner: String, _ office: GoogleOffice) async throws {
        switch owner {
        case "nobody": break
        case "placeholder": try await office.hear()
        case "anonymous": try await office.verify(token, for: "owner", isAnonymous: true)
        case "minted", "signed in": try await office.verify(token, for: "owner")
        case "deleted":
            let held = try await office.verify(token, for: "owner")
            _ = try await office.backOffice.deleteAccount(
                of: held.customer,
                app: try await office.office.app(),
                caller: Caller(.customer(held.customer), actor: "customer")
            )
        default: Issue.record("no such owner: \(owner)")
        }
    }

    @Test("the account token that the app gave to Google is the customer's, whichever comes first") func accountToken()
        async throws
    {
        for isToldFirst in [true, false] {
            try await GoogleOffice.run { office in
                let account = UUID()
                let token = office.google.buy(GoogleOffice.monthly, account: account.uuidString)
                if isToldFirst { try await office.hear() }
                let claim = try await office.verify(token, for: "mei", account: account)
                try await office.hear()
                #expect(try await office.owner(of: token) == "mei")
                #expect(claim.state == .verified)
                #expect(try await office.count("orders") == 1)
                #expect(
                    try await office.lines("SELECT count(*)::text FROM customers WHERE merged_into IS NULL") == ["1"]
                )
            }
        }
    }

    @Test("a purchase that waits for its payment gives nothing, and is its customer's when the payment comes")
    func pending() async throws {
        try await GoogleOffice.run { office in
            let token = office.google.buy(GoogleOffice.monthly, isPending: true)
            let waiting = try await office.verify(token, for: "mei")
            #expect(waiting.state == .pending)
            #expect(try await office.count("orders") == 0)
            #expect(try await !office.hasAccess(waiting))
            office.google.pay(token)
            let paid = try await office.verify(token, for: "mei")
            #expect(paid.state == .verified)
            #expect(try await office.owner(of: token) == "mei")
            #expect(try await office.hasAccess(paid))
        }
    }

    @Test("a token that Google does not know proves nothing and changes nothing") func unknown() async throws {
        try await GoogleOffice.run { office in
            let error = await #expect(throws: OperationsError.self) {
                try await office.verify("no.such.token", for: "mei")
            }
            #expect(error?.code == .invalid)
            #expect(error?.reason == .verificationFailed)
            #expect(error?.field == "purchaseToken")
            let orders = try await office.count("orders")
            #expect(orders == 0)
        }
    }

    @Test("while Google does not answer a token gives nothing, and takes nothing from anybody") func silent()
        async throws
    {
        try await GoogleOffice.run { office in
            let token = office.google.buy(GoogleOffice.monthly)
            let owned = try await office.verify(token, for: "mei")
            office.google.be(.page(503), at: "/", times: 10_000)
            let other = try await office.verify(token, for: "li")
            #expect(other.state == .pending)
            #expect(try await office.owner(of: token) == "mei")
            #expect(try await office.hasAccess(owned))
            #expect(try await !office.hasAccess(other))
            office.google.mend()
        }
    }

    /// The catalogue, in which coins are used up.
    private func declareCoins(_ office: GoogleOffice) async throws {
        var catalog = try office.catalog()
        for index in catalog.products.indices where catalog.products[index].id == "coins" {
            catalog.products[index].isConsumable = true
        }
        _ = try await office.backOffice.applyCatalog(catalog)
    }

    private func standings(_ office: GoogleOffice) async throws -> [String] {
        try await office.books().map { $0.split(separator: " ").dropFirst().joined(separator: " ") }
    }

    @Test("coins that are used up are an order, and no plan; twice they are two") func consumable() async throws {
        try await GoogleOffice.run { office in
            try await declareCoins(office)
            let price = Money(minorUnits: 299, currency: GoogleOffice.eur)
            let claim = try await office.verify(office.google.buyOnce("coins", price), for: "mei")
            try await office.hear()
            #expect(claim.state == .verified)
            #expect(try await !office.hasAccess(claim))
            office.days(1)
            let again = try await office.verify(office.google.buyOnce("coins", price), for: "mei")
            #expect(try await !office.hasAccess(again))
            #expect(try await standings(office) == ["completed 299", "completed 299"])
            try await office.workOffJobs()
            office.days(1.5)
            _ = try await office.reconcile()
            #expect(try await standings(office) == ["completed 299", "completed 299"])
            #expect(try await !office.hasAccess(again))
        }
    }

    @Test("coins that were sold as a plan for ever are none a day after the catalogue says what they are")
    func consumableAfterwards() async throws {
        try await GoogleOffice.run { office in
            let price = Money(minorUnits: 299, currency: GoogleOffice.eur)
            let claim = try await office.verify(office.google.buyOnce("coins", price), for: "mei")
            #expect(try await office.hasAccess(claim))
            try await declareCoins(office)
            office.days(1.5)
            _ = try await office.reconcile()
            #expect(try await !office.hasAccess(claim))
            #expect(try await standings(office) == ["completed 299"])
        }
    }

    @Test("what was bought once and given back without revoking is found within a day, and asked for once a day")
    func quietRefund() async throws {
        try await GoogleOffice.run { office in
            let token = office.google.buyOnce("coins", Money(minorUnits: 299, currency: GoogleOffice.eur))
            let claim = try await office.verify(token, for: "mei")
            try await office.hear()
            let order = try #require(office.google.purchase(token)?.orders.first)
            office.google.refund(order, revoking: false)
            office.days(1.5)
            _ = try await office.reconcile()
            #expect(try await standings(office) == ["refunded 0"])
            #expect(try await office.hasAccess(claim))
            // Nothing of it can be given back any more: nobody asks.
            let kept = office.google.buyOnce("coins", Money(minorUnits: 299, currency: GoogleOffice.eur))
            try await office.verify(kept, for: "li")
            func questions() -> Int { office.google.asked.count { $0.contains("productsv2") } }
            office.days(1.5)
            let before = questions()
            _ = try await office.reconcile()
            let once = questions()
            #expect(once > before)
            _ = try await office.reconcile()
            #expect(questions() == once)
            // Long after it was bought it is asked about more rarely.
            office.days(300)
            _ = try await office.reconcile()
            let later = questions()
            #expect(later > once)
            office.days(5)
            _ = try await office.reconcile()
            #expect(questions() == later)
            office.days(6)
            _ = try await office.reconcile()
            #expect(questions() > later)
        }
    }

    @Test("a purchase of something that does not renew is proven like any other") func once() async throws {
        try await GoogleOffice.run { office in
            let token = office.google.buyOnce("coins", Money(minorUnits: 299, currency: GoogleOffice.eur))
            let claim = try await office.verify(token, for: "mei")
            #expect(claim.state == .verified)
            #expect(
                try await office.books().map { $0.split(separator: " ").dropFirst().joined(separator: " ") } == [
                    "completed 299"
                ]
            )
        }
    }
}
