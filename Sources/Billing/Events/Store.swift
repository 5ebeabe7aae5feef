/// Where a customer pays.
package enum Store: String, Sendable, Codable, CaseIterable {
    case apple
    case google
    case wechat
    case alipay
}

/// Whether real money moved. Sandbox never counts in revenue (product.md, decision 6).
package enum StoreEnvironment: String, Sendable, Codable, CaseIterable {
    case production
    case sandbox
}
