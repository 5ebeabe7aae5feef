package import Billing

/// The gateways that there are, one a store.
package struct StoreGateways: Sendable {
    private let gateways: [Store: any StoreGateway]

    package init(_ gateways: [any StoreGateway]) {
        self.gateways = Dictionary(gateways.map { ($0.store, $0) }) { first, _ in first }
    }

    package subscript(_ store: Store) -> (any StoreGateway)? { gateways[store] }
}
