import Synchronization

/// A store at which a customer pays, by its name in catalogues, in the database and in the API.
///
/// The stores that ship with Perennial are named here. A further store needs no change here: its gateway registers it.
package struct Store: RawRepresentable, Hashable, Sendable, Codable, CaseIterable {
    package let rawValue: String

    package static let apple = Store(shipped: "apple")
    package static let google = Store(shipped: "google")
    package static let wechat = Store(shipped: "wechat")
    package static let alipay = Store(shipped: "alipay")

    /// Those that ship with Perennial.
    package static let allCases: [Store] = [.apple, .google, .wechat, .alipay]

    /// The stores that this program's gateways have registered; like its code, the list is the same for as long as it runs.
    private static let introduced = Mutex<[(name: String, rules: StoreRules)]>([])

    /// Those that this program knows.
    package static var known: [Store] { allCases + introduced.withLock { $0.map { Store(shipped: $0.name) } } }

    /// The rules in which it differs from other stores.
    package var rules: StoreRules {
        switch self {
        case .apple: .apple
        case .google: .google
        case .wechat: .wechat
        default: Self.introduced.withLock { $0.first { $0.name == rawValue } }?.rules ?? .shop
        }
    }

    /// A store that Perennial does not ship, from now on known by this name.
    ///
    /// - Parameter name: up to 32 lower-case letters, digits and underscores, a letter first.
    package init(introducing name: StaticString, rules: StoreRules = .shop) {
        rawValue = name.description
        let isName = rawValue.wholeMatch(of: /[a-z][a-z0-9_]{0,31}/) != nil
        precondition(isName, "\(name) is no name of a store")  // safe: a text of our own
        guard !Self.allCases.contains(self) else { return }
        Self.introduced.withLock { names in
            if !names.contains(where: { $0.name == rawValue }) { names.append((rawValue, rules)) }
        }
    }

    /// - Returns: nil for a store that this program does not know.
    package init?(rawValue: String) {
        let store = Store(shipped: rawValue)
        let isKnown =
            Self.allCases.contains(store) || Self.introduced.withLock { $0.contains { $0.name == rawValue } }
        guard isKnown else { return nil }
        self = store
    }

    private init(shipped name: String) {
        rawValue = name
    }
}
