import Billing

/// Names of what the stores and the ledger call otherwise.
enum StoreText {
    static func name(of store: Store) -> StaticString {
        switch store {
        case .apple: "Apple"
        case .google: "Google Play"
        case .wechat: "WeChat Pay"
        case .alipay: "Alipay"
        }
    }

    static func name(of environment: StoreEnvironment) -> StaticString {
        switch environment {
        case .production: "Production"
        case .sandbox: "Sandbox"
        }
    }

    /// "Apple, production"
    static func place(_ store: Store, _ environment: StoreEnvironment) -> String {
        "\(name(of: store)), \(name(of: environment).description.lowercased())"
    }

    static func name(of kind: LedgerEntry.Kind) -> StaticString {
        switch kind {
        case .initialPurchase: "Initial purchase"
        case .renewal: "Renewal"
        case .upgrade: "Upgrade"
        case .downgrade: "Downgrade"
        case .refund: "Refund"
        case .revoke: "Revocation"
        case .refundReversal: "Refund taken back"
        }
    }
}
