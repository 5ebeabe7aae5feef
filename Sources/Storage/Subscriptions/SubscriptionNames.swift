import Billing
import Postgres

/// The names of an event's subscription: the first transaction that the store names it after, and the one it was named after before.
/// A subscription has the oldest of its names; the others are its aliases.
struct SubscriptionNames {
    let app: App.ID
    let store: Store
    let environment: StoreEnvironment
    let name: String
    /// nil unless the store has given it another name.
    let former: String?

    init(_ incoming: IncomingEvent) {
        let event = incoming.event
        (app, store, environment) = (incoming.app, event.store, event.environment)
        (name, former) = (event.transaction.originalID, event.transaction.formerOriginalID)
    }

    var oldest: String { former ?? name }

    /// Those that subscriptions and aliases are looked up by.
    func scope(_ table: Query) -> Query {
        "\(table).app_id = \(app) AND \(table).store = \(store) AND \(table).environment = \(environment)"
    }

    /// Finds the alias of the oldest name.
    var alias: Query {
        """
        SELECT a.subscription_id
        FROM subscription_aliases a
        WHERE \(scope("a")) AND a.original_transaction_id = \(oldest)
        """
    }

    /// The condition that selects its row of `subscriptions`.
    var identity: Query {
        """
        id = coalesce((\(alias)), (
            SELECT named.id
            FROM subscriptions named
            WHERE \(scope("named")) AND named.original_transaction_id = \(oldest)))
        """
    }

    /// The key of a customer whom no token names: by the subscription's own name.
    var customerKey: Query {
        """
        (\(store.rawValue + ":") || coalesce((
            SELECT s.original_transaction_id
            FROM subscription_aliases a
            JOIN subscriptions s ON s.id = a.subscription_id
            WHERE \(scope("a")) AND a.original_transaction_id = \(oldest)), \(oldest)))
        """
    }

    /// A transaction that gives a subscription another name locks both names alone; one that only applies an event shares the lock.
    func lock(_ name: String, isShared: Bool) -> Query {
        let key = "\(app.description) \(store.rawValue) \(environment.rawValue) \(name)"
        return isShared
            ? "SELECT pg_advisory_xact_lock_shared(hashtextextended(\(key), 15))"
            : "SELECT pg_advisory_xact_lock(hashtextextended(\(key), 15))"
    }
}
