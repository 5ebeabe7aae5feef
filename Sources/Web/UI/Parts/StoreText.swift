import Billing

/// Names of what the stores and the ledger call otherwise.
enum StoreText {
    static func name(of store: Store, _ words: Words) -> StaticString {
        switch store {
        case .apple: words.storesApple
        case .google: words.storesGoogle
        case .wechat: words.storesWechat
        case .alipay: words.storesAlipay
        }
    }

    static func name(of environment: StoreEnvironment, _ words: Words) -> StaticString {
        switch environment {
        case .production: words.partsProduction
        case .sandbox: words.partsSandbox
        }
    }

    /// "Apple, production"
    static func place(_ store: Store, _ environment: StoreEnvironment, _ words: Words) -> String {
        let within =
            switch environment {
            case .production: words.storesProductionWithin
            case .sandbox: words.storesSandboxWithin
            }
        return words.partsPlace(environment: within.description, store: name(of: store, words).description)
    }

    static func name(of kind: LedgerEntry.Kind, _ words: Words) -> StaticString {
        switch kind {
        case .initialPurchase: words.storesEntryInitialPurchase
        case .renewal: words.storesEntryRenewal
        case .upgrade: words.storesEntryUpgrade
        case .downgrade: words.storesEntryDowngrade
        case .refund: words.storesEntryRefund
        case .revoke: words.storesEntryRevoke
        case .refundReversal: words.storesEntryRefundReversal
        }
    }
}
