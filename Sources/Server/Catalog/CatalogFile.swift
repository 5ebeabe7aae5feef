package import Billing
import Foundation
import Operations
import Yams

/// A catalogue as its YAML file spells it (`Catalogs/*.yaml`). Every problem names the path of its field.
package struct CatalogFile: Decodable {
    var app: String
    var name: String
    var timeZone: String
    var reportingCurrency: String
    var apple: Apple?
    var refunds: Refunds?
    /// In the order in which they are shown.
    var features: [FeatureEntry]?
    var plans: [PlanEntry]
    var products: [ProductEntry]
    var supportGrantLimitDays: Int?
    var bulkApprovalFrom: Int?
    var trialConversionDays: Int?
    var offlineHours: Int?
    var checkoutMinutes: Int?
    /// The rules for a purchase that somebody else shows.
    var purchases: Purchases?
    var stores: [String: StoreEntry]?
    var consumption: Consumption?
    var paywall: Paywall?
    /// Origins of web pages that may call from a browser.
    var cors: [String]?
    /// Of an app that has a login of its own.
    var tokens: Tokens?
    /// By what is counted: `600/60`.
    var rateLimits: [String: String]?
    /// `testers` or `everybody`.
    var sandboxAccess: String?

    /// The issuer of the app's own tokens.
    struct Tokens: Decodable {
        var issuer: String
        var audience: String
        /// The address of its public keys; `sharedSecret` stands in its place.
        var jwks: String?
        /// `file:PATH` or `env:NAME`.
        var sharedSecret: String?
        /// All that the keys can be of without it.
        var algorithms: [String]?
        /// `sub` without it.
        var claim: String?
        var leewaySeconds: Int?
        var longestLifetimeSeconds: Int?
    }
    var trial: Trial?

    /// The fees of one store, and the app's account there. Its key is the store's name (`apple`, `google`, `wechat`, `alipay`);
    /// Apple's account has a section of its own.
    struct StoreEntry: Decodable {
        var fees: Fees?
        /// `ios` for what is sold on iOS and iPadOS alone.
        var soldOn: String?
        /// The app's own id at the store; without it there is no account.
        var identifier: String?
        var environment: String?
        var settings: [String: String]?
        /// As Apple's.
        var anchors: [String]?
        /// `file:PATH` or `env:NAME`, by the store's own names.
        var secrets: [String: String]?
    }

    /// Percents of a charge that the store keeps: "15", "0.6".
    struct Fees: Decodable {
        /// While the subscriber is in the first year of paid service; the store's usual share without it.
        var firstYear: String?
        /// After it; the same as in the first year without it.
        var later: String?
        /// The same of single storefronts ("CHN"), since a date or always, in place of the product's own table.
        var storefronts: [String: [Terms]]?

        struct Terms: Decodable {
            /// A day, which begins in UTC.
            var since: String?
            var firstYear: String
            var later: String?
        }
    }

    struct Apple: Decodable {
        var bundleId: String
        var appAppleId: Int64?
        var environment: String?
        /// `file:PATH` of DER or PEM certificates, or `env:NAME` of one in PEM.
        var anchors: [String]?
        var api: API?
        /// `file:PATH` or `env:NAME` of what verifyReceipt wants to know of an app with subscriptions.
        var sharedSecret: String?
        var verifyReceipt: Addresses?
        var id: SignIn?

        /// The key of the App Store Server API, as App Store Connect gives it.
        struct API: Decodable {
            var issuerId: String?
            var keyId: String?
            /// `file:PATH` of AuthKey_….p8, or `env:NAME` of its text.
            var privateKey: String?
            /// The address of the API; only for an app of a test store.
            var production: String?
            var sandbox: String?
            /// `production` where Apple is asked about groups and seats there, too.
            var seats: String?
        }

        /// The addresses of verifyReceipt; only for an app of a test store.
        struct Addresses: Decodable {
            var production: String?
            var sandbox: String?
        }

        /// The key of Sign in with Apple, as Certificates, Identifiers & Profiles gives it.
        struct SignIn: Decodable {
            /// Bundle ids of apps and Services IDs of web pages.
            var clientIds: [String]?
            var teamId: String?
            var keyId: String?
            /// `file:PATH` of AuthKey_….p8, or `env:NAME` of its text.
            var privateKey: String?
            /// The address; only for an app of a test store.
            var address: String?
        }
    }

    /// The rules for a device that shows a purchase of an account.
    struct Purchases: Decodable {
        /// The result for the device: `refuse`, `share` or `transfer`; `refuse` without it.
        var transferBehavior: String?
        /// The hint that it gets about the account: `none`, `provider` or `email`; `provider` without it.
        var ownerHint: String?
    }

    /// The rules for refunds; amounts are in the reporting currency.
    struct Refunds: Decodable {
        /// Below it the requester of a refund may approve it too; without it never.
        var selfApprovalLimit: String?
        /// From it on an approval asks for the last characters of the order's number; 100.00 without it.
        var typedConfirmationFrom: String?
        /// 30 without it.
        var requestExpiresAfterDays: Int?
    }

    /// The answers to stores that ask about a refund (Apple's consumption requests).
    struct Consumption: Decodable {
        /// `automatic`: as soon as the store asks; `deadline`: what staff did not decide is answered shortly before the deadline.
        var sending: String?
        /// True if customers could try what is sold; false without it.
        var providesSamples: Bool?
        /// The first whose conditions all hold decides.
        var rules: [Rule]?

        struct Rule: Decodable {
            var name: String
            var plan: String?
            var ageInDays: Bounds?
            var refunds: Bounds?
            var usedPercent: Bounds?
            /// GRANT_FULL, GRANT_PRORATED or DECLINE.
            var answer: String
            /// Of what does not renew: how much was consumed, 0 to 100 with at most three decimals.
            var consumptionPercent: String?
        }

        /// Both ends belong to it.
        struct Bounds: Decodable {
            var from: Int?
            var to: Int?
        }
    }

    /// The trial that the app gives by itself, once to each customer.
    struct Trial: Decodable {
        var plan: String
        /// P7D, P1W, P1M.
        var period: String
        /// The products that it is a trial of, by the stores' identifiers.
        var products: [String]?
    }

    struct FeatureEntry: Decodable {
        var code: String
        var name: NameEntry
        /// The text for a customer at the end of a limit, by language; `{limit}` in it is the limit.
        var limitReached: [String: String]?
    }

    /// The texts of a paywall besides what is sold, by language.
    struct Paywall: Decodable {
        var title: [String: String]?
        var headline: [String: String]?
        /// On the button that buys.
        var subscribe: [String: String]?
        /// Addresses.
        var terms: String?
        var privacy: String?
    }

    struct PlanEntry: Decodable {
        var code: String
        var name: NameEntry
        var rank: Int
        /// The benefits that a paywall lists, each in one or more languages, and with the `icon` that it shows.
        var benefits: [[String: String]]?
        /// By code; what is not named is not included.
        var features: [String: LimitsEntry]?
    }

    struct ProductEntry: Decodable {
        var store: String
        /// The store's, or `${NAME}` or `${NAME:-default}` of the environment.
        var id: String
        var plan: String
        var name: NameEntry
        var period: String?
        var trial: String?
        var prices: [String: String]?
        /// True if a paywall highlights it; false without it.
        var recommended: Bool?
        /// True of what is used up (coins): it gives no access; false without it.
        var consumable: Bool?
        /// The uses of features, by code, that each order brings beside the plan.
        var credits: [String: String]?
    }

    /// Reads a catalogue file.
    ///
    /// - Parameters:
    ///   - simulator: the DER roots of a test authority; where there are some, the app trusts them instead of Apple.
    ///   - accounts: further accounts, in YAML (`stores:`), of stores that the file does not name; its files by absolute paths.
    /// - Throws: `OperationsError` with `.invalid`, naming the file, the field and the reason; of keys that nothing reads, all.
    package static func read(
        _ path: String,
        simulator: [[UInt8]] = [],
        beside accounts: String? = nil
    ) throws -> Catalog {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw OperationsError(.invalid, "\(path) cannot be read.")
        }
        do {
            if let text = String(bytes: data, encoding: .utf8) {
                try UnknownKeys.check(text, of: path, against: FileKeys(of: CatalogFile.self))
            }
            if let accounts {
                try UnknownKeys.check(accounts, of: "further accounts", against: FileKeys(of: Accounts.self))
            }
        } catch let error as YamlError {
            throw OperationsError(.invalid, "\(path): \(CatalogProblem.text(of: error))", underlying: error)
        }
        var file: CatalogFile
        do {
            file = try YAMLDecoder().decode(CatalogFile.self, from: data)
            if let accounts { try file.add(accounts) }
        } catch {
            throw OperationsError(.invalid, "\(path): \(CatalogProblem.text(of: error))", underlying: error)
        }
        do {
            var catalog = try file.catalog(relativeTo: URL(fileURLWithPath: path).deletingLastPathComponent())
            if !simulator.isEmpty {
                catalog.accounts[.apple]?.trust(simulator: simulator)
            }
            return catalog
        } catch let error as OperationsError {
            throw OperationsError(error.code, "\(path): \(error.message)", field: error.field, underlying: error)
        }
    }

    private mutating func add(_ accounts: String) throws {
        let more = try YAMLDecoder().decode(Accounts.self, from: accounts)
        stores = (stores ?? [:]).merging(more.stores) { own, _ in own }
    }

    private struct Accounts: Decodable {
        var stores: [String: StoreEntry]
    }
}
