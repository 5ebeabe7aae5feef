package import Billing

/// The gateways that there are, one a store.
package struct StoreGateways: Sendable {
    private let gateways: [Store: any StoreGateway]

    package init(_ gateways: [any StoreGateway]) {
        self.gateways = Dictionary(gateways.map { ($0.store, $0) }) { first, _ in first }
    }

    /// Those of the stores that Perennial ships.
    package static var shipped: StoreGateways { shipped(over: HTTPStoreTransport()) }

    /// The same, asking their stores that way.
    package static func shipped(over transport: any StoreTransport) -> StoreGateways {
        StoreGateways([
            AppleGateway(transport: transport), WeChatGateway(transport: transport),
            AlipayGateway(transport: transport), GoogleGateway(transport: transport),
        ])
    }

    package subscript(_ store: Store) -> (any StoreGateway)? { gateways[store] }
}
