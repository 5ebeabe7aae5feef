package import Billing
import Foundation
package import Words

/// Names of what the stores and the ledger call otherwise.
package enum StoreText {
    package static func name(of store: Store, _ strings: Strings) -> String {
        switch store {
        case .apple: String(strings.storesApple)
        case .google: String(strings.storesGoogle)
        case .wechat: String(strings.storesWechat)
        case .alipay: String(strings.storesAlipay)
        // A name of its own, which needs no translation.
        default: store.rawValue.replacing("_", with: " ").capitalized
        }
    }

    package static func name(of environment: StoreEnvironment, _ strings: Strings) -> StaticString {
        switch environment {
        case .production: strings.partsProduction
        case .sandbox: strings.partsSandbox
        }
    }

    /// "Apple, production"
    package static func place(_ store: Store, _ environment: StoreEnvironment, _ strings: Strings) -> String {
        let within =
            switch environment {
            case .production: strings.storesProductionWithin
            case .sandbox: strings.storesSandboxWithin
            }
        return strings.partsPlace(environment: within.description, store: name(of: store, strings).description)
    }

    package static func name(of kind: LedgerEntry.Kind, _ strings: Strings) -> StaticString {
        switch kind {
        case .initialPurchase: strings.storesEntryInitialPurchase
        case .renewal: strings.storesEntryRenewal
        case .upgrade: strings.storesEntryUpgrade
        case .downgrade: strings.storesEntryDowngrade
        case .refund: strings.storesEntryRefund
        case .revoke: strings.storesEntryRevoke
        case .refundReversal: strings.storesEntryRefundReversal
        case .upgradeCredit: strings.storesEntryUpgradeCredit
        case .upgradeCreditReversal: strings.storesEntryUpgradeCreditReversal
        }
    }
}
