package import Billing
import Postgres

extension Store: PostgresEncodable, PostgresDecodable {}
extension StoreEnvironment: PostgresEncodable, PostgresDecodable {}
extension SandboxAccess: PostgresEncodable, PostgresDecodable {}
extension Subscription.State: PostgresEncodable, PostgresDecodable {}
extension EventSource: PostgresEncodable, PostgresDecodable {}
extension StoreEvent.Kind: PostgresEncodable, PostgresDecodable {}
extension ExternalPurchaseState: PostgresEncodable, PostgresDecodable {}
extension OrderStatus: PostgresEncodable, PostgresDecodable {}
extension StoreTransaction.Offer.Kind: PostgresEncodable, PostgresDecodable {}
extension LedgerEntry.Kind: PostgresEncodable, PostgresDecodable {}
extension ExpirationReason: PostgresEncodable, PostgresDecodable {}
