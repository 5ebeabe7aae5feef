/// The store's environment. Real money moves only in production; sandbox never counts in revenue (product.md, decision 6).
package enum StoreEnvironment: String, Sendable, Codable, CaseIterable {
    case production
    case sandbox

    /// The spelling in the API, in files and URLs.
    package var name: String { rawValue.uppercased() }

    package init?(name: String) {
        guard let environment = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = environment
    }
}
