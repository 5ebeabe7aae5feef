import Billing
import Foundation
import Operations
import Postgres
import Storage
import StoreSimulator
import TestSupport
import Testing

/// What happens to one purchase between a device that nobody has signed in on and the account that signs in there.
enum OwnerStep: String, CaseIterable, Sendable {
    case anonymousBuys
    case renewalNotified
    case accountRestores
    case signInMerges
    case anonymousRestores

    /// Every order of them.
    static var orders: [[OwnerStep]] { permutations(of: allCases) }

    private static func permutations(of steps: [OwnerStep]) -> [[OwnerStep]] {
        guard steps.count > 1 else { return [steps] }
        return steps.indices.flatMap { index in
            var rest = steps
            let first = rest.remove(at: index)
            return permutations(of: rest).map { [first] + $0 }
        }
    }
}

@Suite("One owner, in whatever order a device and an account buy, renew, restore and sign in") struct OneOwnerTests {
    /// 120 orders, or a third of them as a sample, each with the store's notification before the first proof of the purchase and after it.
    @Test("every order leaves one owner with everything, and the books equal", arguments: 0..<12)
    func everyOrder(part: Int) async throws {
        try await ConnectedOffice.run { office in
            let (orders, every) = (OwnerStep.orders.enumerated(), TestScale.isWhole ? 1 : 3)
            for (index, steps) in orders where index % 12 == part && (index / 12 + part) % every == 0 {
                for notifiesFirst in [true, false] {
                    try await OwnerCase(office, number: index * 2 + (notifiesFirst ? 0 : 1)).run(steps, notifiesFirst)
                }
            }
            #expect(try await office.backOffice.verifyRollups().map(\.differences) == [0])
        }
    }

    @Test("so it is with steps that repeat, and with the account token that was issued to the device", arguments: 0..<8)
    func repeated(seed: Int) async throws {
        var random = SeededGenerator(seed: UInt64(seed))
        try await ConnectedOffice.run { office in
            for number in 0..<TestScale.rounds(10, sampled: 4) {
                let more = (0..<4).map { _ in OwnerStep.allCases.randomElement(using: &random) ?? .anonymousBuys }
                let steps = (OwnerStep.allCases + more).shuffled(using: &random)
                let passesToken = Bool.random(using: &random)
                try await OwnerCase(office, number: number).run(steps, Bool.random(using: &random), passesToken)
            }
            #expect(try await office.backOffice.verifyRollups().map(\.differences) == [0])
        }
    }
}

/// One device, one account and one subscription of two periods.
private struct OwnerCase {
    let office: ConnectedOffice
    let number: Int

    init(_ office: ConnectedOffice, number: Int) {
        (self.office, self.number) = (office, number)
    }

    private var device: String { "device \(number)" }
    private var account: String { "account \(number)" }
    private var original: String { "\(1_000 + number)" }

    func run(_ steps: [OwnerStep], _ notifiesFirst: Bool, _ passesToken: Bool = false) async throws {
        let token = passesToken ? try await issuedToken() : nil
        let (bought, renewed) = (try purchase(0, token), try purchase(1, token))
        var isProven = false
        func prove(for customer: String, isAnonymous: Bool) async throws {
            if notifiesFirst, !isProven { try await office.receive([try bought.told()]) }
            try await office.verify(
                .signedTransactions([try bought.signed()]),
                for: customer,
                isAnonymous: isAnonymous
            )
            if !notifiesFirst, !isProven { try await office.receive([try bought.told()]) }
            isProven = true
        }
        for step in steps {
            office.clock.advance(by: 1)
            switch step {
            case .anonymousBuys, .anonymousRestores: try await prove(for: device, isAnonymous: true)
            case .accountRestores: try await prove(for: account, isAnonymous: false)
            case .renewalNotified: try await office.receive([try renewed.told()])
            case .signInMerges: try await signIn()
            }
        }
        try await check("\(steps.map(\.rawValue)), notified first: \(notifiesFirst), token: \(passesToken)")
    }

    private func signIn() async throws {
        let app = try await office.office.app()
        let (anonymous, signedIn) = (try await customer(device, isAnonymous: true), try await customer(account))
        let merged = try await office.backOffice.mergeAnonymousCustomer(anonymous, into: signedIn, of: app)
        #expect(merged)
    }

    private func check(_ comment: Comment) async throws {
        let owner = try await customer(account)
        let owners = try await office.lines(
            "SELECT customer_id::text FROM subscriptions WHERE original_transaction_id = \(original)"
        )
        #expect(owners == [owner.description], comment)
        let orders = try await office.lines(
            """
            SELECT concat_ws(' ', o.transaction_id, o.customer_id)
            FROM orders o
            JOIN ledger_entries t ON t.order_id = o.id
            JOIN subscriptions s ON s.id = o.subscription_id
            WHERE s.original_transaction_id = \(original)
            ORDER BY o.transaction_id
            """
        )
        #expect(orders == ["2\(original)0 \(owner)", "2\(original)1 \(owner)"], comment)
        #expect(try await office.office.entitlement(owner) != nil, comment)
        let left = try await office.lines(
            """
            SELECT coalesce(external_id, key) FROM customers
            WHERE merged_into IS NULL AND (external_id IN (\(device), \(account)) OR key = \("apple:" + original))
            ORDER BY 1
            """
        )
        // Who uses the device without signing in is not the account, and has nothing of it.
        #expect(left == [account] || left == [account, device], comment)
        guard left.contains(device) else { return }
        #expect(try await office.office.entitlement(try await customer(device, isAnonymous: true)) == nil, comment)
    }

    private func customer(_ name: String, isAnonymous: Bool = false) async throws -> Customer.ID {
        let app = try await office.office.app()
        let identity = CustomerIdentity(externalID: name, isAnonymous: isAnonymous)
        return try #require(
            try await office.office.database.write { try await $0.customers.identify(identity, of: app) }
        )
    }

    private func issuedToken() async throws -> UUID? {
        let device = try await customer(device, isAnonymous: true)
        return try await office.office.database.readPrimary { try await $0.screens.accountToken(of: device) }
    }

    /// The subscription's first period, which began ten days ago, or the second, which begins now.
    private func purchase(_ period: Int, _ token: UUID?) throws -> Purchase {
        var notification = try Purchase.number(0, token: token).notification
        var transaction = try #require(notification.transaction)
        let start = TestOffice.start.addingTimeInterval(Double(period) * 864_000 - 864_000)
        transaction.id = "2\(original)\(period)"
        transaction.originalID = original
        (transaction.purchaseDate, transaction.isRenewal) = (start, period == 1)
        transaction.originalPurchaseDate = TestOffice.start.addingTimeInterval(-864_000)
        transaction.expiresDate = start.addingTimeInterval(period == 0 ? 864_000 : 2_592_000)
        (transaction.isFreeTrial, transaction.offerIdentifier, transaction.price) = (false, nil, 18_000)
        notification.notificationUUID = UUID()
        if period == 1 { (notification.type, notification.subtype) = ("DID_RENEW", nil) }
        notification.signedDate = start
        notification.renewal?.originalID = original
        notification.transaction = transaction
        return Purchase(notification: notification, transaction: transaction)
    }
}
