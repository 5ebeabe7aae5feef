import CryptoExtras
import Foundation
import StoreSimulator

@testable import Gateways

/// A receipt authority, made once for all suites, and an app that trusts it.
struct ReceiptStore {
    static let now = Date(timeIntervalSince1970: 1_750_000_000)

    let authority: ReceiptAuthority
    let app: AppleConfiguration
    let signer: ReceiptSigner
    private let verifier = AppleReceiptVerifier()

    init() throws {
        authority = try Self.shared.get()
        app = try .test(anchors: [authority.root])
        signer = ReceiptSigner(authority: authority)
    }

    private static let shared = Result { try ReceiptAuthority() }

    func receipt(
        environment: String = "Production",
        purchases: [AppleReceiptPurchase] = Self.purchases
    ) -> SimulatedReceipt {
        SimulatedReceipt(
            environment: environment,
            bundleID: TestNotification.bundleID,
            appAppleID: environment == "Production" ? TestNotification.appAppleID : 0,
            createdAt: Self.now,
            originalPurchasedAt: Self.now.addingTimeInterval(-86_400),
            purchases: purchases
        )
    }

    static let purchases = [
        AppleReceiptPurchase(
            transactionID: "300000000000002",
            originalTransactionID: "300000000000001",
            productID: "com.example.pro.monthly",
            productType: .autoRenewable,
            purchasedAt: now.addingTimeInterval(-3_600),
            originallyPurchasedAt: now.addingTimeInterval(-2_595_600),
            expiresAt: now.addingTimeInterval(2_588_400),
            promotionalOfferID: "spring",
            webOrderLineItemID: "300000000000009"
        ),
        AppleReceiptPurchase(
            transactionID: "300000000000001",
            originalTransactionID: "300000000000001",
            productID: "com.example.pro.monthly",
            productType: .autoRenewable,
            purchasedAt: now.addingTimeInterval(-2_595_600),
            originallyPurchasedAt: now.addingTimeInterval(-2_595_600),
            expiresAt: now.addingTimeInterval(-3_600),
            isTrial: true,
            webOrderLineItemID: "300000000000008"
        ),
        AppleReceiptPurchase(
            transactionID: "300000000000007",
            originalTransactionID: "300000000000007",
            productID: "com.example.coins",
            productType: .consumable,
            quantity: 3,
            purchasedAt: now.addingTimeInterval(-600),
            originallyPurchasedAt: now.addingTimeInterval(-600),
            cancelledAt: now.addingTimeInterval(-60)
        ),
    ]

    func sign(_ receipt: SimulatedReceipt) throws -> String { try signer.sign(receipt) }

    func verify(_ receipt: String, for app: AppleConfiguration? = nil, at now: Date = Self.now) throws -> AppleReceipt {
        try verifier.verify(receipt, for: app ?? self.app, at: now)
    }

    /// Returns the code of the step at which a receipt fails; nil when it is verified.
    func code(_ receipt: String, for app: AppleConfiguration? = nil, at now: Date = Self.now) -> GatewayError.Code? {
        do throws(GatewayError) {
            _ = try verifier.verify(receipt, for: app ?? self.app, at: now)
            return nil
        } catch {
            return error.code
        }
    }

    /// Returns the code at which a message over any content fails; nil when it is verified.
    func code(over content: [UInt8], by signer: ReceiptSigner? = nil) throws -> GatewayError.Code? {
        code(Data(try (signer ?? self.signer).message(over: content)).base64EncodedString())
    }
}

/// Carries requests to endpoints of the simulated store without a network.
struct EndpointTransport: StoreTransport {
    /// The address before the path of each request.
    static let address = "http://store.test"

    let endpoints: [SimulatedEndpoint]

    func send(_ request: StoreRequest) async throws(GatewayError) -> StoreResponse {
        let path = String(request.url.dropFirst(Self.address.count))
        guard request.url.hasPrefix(Self.address),
            let endpoint = endpoints.first(where: { $0.method == request.method && $0.path == path })
        else { throw GatewayError(.unreachable, "Nobody is there.") }
        let headers = Dictionary(request.headers.map { ($0.lowercased(), $1) }) { first, _ in first }
        return await endpoint.answer(
            SimulatedRequest(method: request.method, target: path, headers: headers, body: request.body ?? Data())
        )
    }
}
