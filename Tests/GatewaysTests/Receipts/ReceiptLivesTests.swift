import Billing
import Foundation
import StoreSimulator
import Testing

@testable import Gateways

@Suite("The receipts of those whose lives are simulated")
struct ReceiptLivesTests {
    private static let end = Date(timeIntervalSince1970: 1_795_000_000)
    private let lives = SimulatedSubscribers(seed: 19, customers: 60, months: 13, endingAt: Self.end)
    private let store: ReceiptStore
    private let app: AppleConfiguration

    init() throws {
        store = try ReceiptStore()
        app = try .test(
            anchors: [store.authority.root],
            bundleID: lives.catalog.bundleID,
            appAppleID: lives.catalog.appAppleID
        )
    }

    @Test(
        "a receipt lists what the notifications told, and Apple's answer says of each what became of it, and of nobody else's"
    )
    func same() async throws {
        let client = try client()
        var judged = 0
        for number in lives.customers.indices {
            let told = lives.notifications(of: number).sorted { $0.signedDate < $1.signedDate }
            guard let receipt = SimulatedReceipt(of: told, at: Self.end) else { continue }
            judged += 1
            let text = try store.sign(receipt)
            let signed = try store.verify(text, for: app, at: Self.end)
            let transactions = told.compactMap(\.transaction)
            #expect(Set(signed.purchases.map(\.transactionID)) == Set(transactions.map(\.id)))
            let answered = try await client.verify(text, sharedSecret: nil, for: app)
            #expect(answered.environment == told.first?.environment)
            #expect(answered.purchases.map(\.transactionID) == signed.purchases.map(\.transactionID))
            for purchase in answered.purchases {
                let last = try #require(transactions.last { $0.id == purchase.transactionID })
                #expect(purchase.cancelledAt == last.revocation?.date)
                #expect(purchase.expiresAt == last.expiresDate)
                #expect(purchase.appAccountToken == last.appAccountToken)
                #expect(purchase.isFamilyShared == last.isFamilyShared)
            }
            for renewal in answered.renewals {
                let last = try #require(
                    told.compactMap(\.renewal).last { $0.originalID == renewal.originalTransactionID }
                )
                #expect(renewal.renewsAutomatically == last.renewsAutomatically)
                #expect(renewal.autoRenewProductID == last.nextProduct.id)
                #expect(renewal.rawExpirationIntent == last.expirationIntent)
                #expect(renewal.gracePeriodExpiresDate == last.gracePeriodExpiresDate)
            }
            #expect(answered.renewals.isEmpty == told.allSatisfy { $0.renewal == nil })
        }
        #expect(judged == 60)
    }

    @Test("an older receipt says less, and Apple's answer to it is as new as any")
    func older() async throws {
        let told = lives.notifications(of: 0).sorted { $0.signedDate < $1.signedDate }
        let first = try #require(told.first { $0.transaction != nil })
        #expect(SimulatedReceipt(of: told, at: first.signedDate.addingTimeInterval(-1)) == nil)
        let receipt = try #require(SimulatedReceipt(of: told, at: first.signedDate))
        let bought = try #require(first.transaction)
        #expect(receipt.purchases.map(\.transactionID) == [bought.id])
        let answered = try await client().verify(store.sign(receipt), sharedSecret: nil, for: app)
        let since = told.compactMap(\.transaction).filter { $0.originalID == bought.originalID }
        #expect(Set(answered.purchases.map(\.transactionID)) == Set(since.map(\.id)))
        #expect(answered.purchases.count > 1)
    }

    /// Returns a client of a store that knows all notifications.
    private func client() throws -> VerifyReceiptClient {
        let apple = SimulatedVerifyReceipt(for: app, sharedSecret: nil, now: { Self.end })
        apple.know(lives.notifications())
        return VerifyReceiptClient(
            transport: EndpointTransport(endpoints: apple.endpoints),
            addresses: try VerifyReceiptClient.Addresses(
                production: EndpointTransport.address,
                sandbox: EndpointTransport.address + "/sandbox",
                isSimulated: true
            )
        )
    }
}
