/// Whether real money moved. Sandbox never counts in revenue (product.md, decision 6).
package enum StoreEnvironment: String, Sendable, Codable, CaseIterable {
    case production
    case sandbox
}
