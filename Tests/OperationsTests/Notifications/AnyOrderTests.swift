import Billing
import Foundation
import Gateways
import Jobs
import Operations
import Postgres
import Storage
import StoreSimulator
import Synchronization
import TestSupport
import Testing

@Suite("Any order of arrival") struct AnyOrderTests {
    @Test("shuffled, in three copies and by two workers, lives end as in order and once", .timeLimit(.minutes(10)))
    func converges() async throws {
        let lives = SimulatedSubscribers(
            seed: 7,
            customers: TestScale.rounds(500, sampled: 100),
            months: 24,
            endingAt: TestOffice.start
        )
        let signer = AppleSigner(authority: try TestOffice.authority.get())
        let payloads = try lives.notifications().map { SimulatedMessage($0) }.namingSomeAnew().map(signer.sign)
        var random = SeededGenerator(seed: 7)
        let shuffled = (payloads + payloads + payloads).shuffled(using: &random)
        async let orderly = Self.books(after: payloads, concurrency: 1)
        async let disorderly = Self.books(after: shuffled, concurrency: 16)
        let (inOrder, inAnyOrder) = try await (orderly, disorderly)
        #expect(inOrder.count > TestScale.rounds(10_000, sampled: 2_000))
        #expect(inAnyOrder.subtracting(inOrder).sorted().prefix(5) == [])
        #expect(inOrder.subtracting(inAnyOrder).sorted().prefix(5) == [])
        #expect(inOrder.filter { $0.hasPrefix("notification") && $0.contains(" failed ") } == [])
        #expect(inOrder.contains { $0.hasPrefix("failed charges") })
        #expect(inOrder.contains { $0.hasPrefix("order") && $0.contains("\"superseded\"") })
        #expect(inOrder.contains { $0.hasPrefix("alias") })
    }

    /// Returns the books after those deliveries, which two workers apply meanwhile.
    private static func books(after payloads: [String], concurrency: Int) async throws -> Set<String> {
        try await TestOffice.run { office in
            let isAllDelivered = Latch()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for worker in [office.worker, office.anotherWorker()] {
                    group.addTask {
                        while try await worker.drain() > 0 || !isAllDelivered.isOpen {
                            // Leave the processor to the other worker meanwhile.
                            try await Task.sleep(for: .milliseconds(5))
                        }
                    }
                }
                try await deliver(payloads, to: office, concurrency: concurrency)
                isAllDelivered.open()
                try await group.waitForAll()
            }
            #expect(try await office.database.hasUnfinishedNotifications() == false)
            #expect(try await office.backOffice.verifyRollups().map(\.differences) == [0])
            return Set(try await office.lines(Query(unsafe: normalised)))
        }
    }

    private static func deliver(_ payloads: [String], to office: TestOffice, concurrency: Int) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for lane in 0..<concurrency {
                group.addTask {
                    for index in stride(from: lane, to: payloads.count, by: concurrency) {
                        _ = try await office.backOffice.receiveNotification(payloads[index], from: .apple)
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    /// Reads every row as JSON, without values that may differ: keys, the sequence of order numbers, the times of our own clock,
    /// and the number of times that a subscription was folded. Of the ledger it reads the sums by time: a late event is corrected
    /// by rows of the same date.
    static let normalised = """
        SELECT 'customer ' || (to_jsonb(c) - '{id,app_id}'::text[])::text FROM customers c
        UNION ALL
        SELECT 'subscription ' || (to_jsonb(s) - '{id,app_id,customer_id,product_id,version,created_at,updated_at,checked_at}'::text[]
            || jsonb_build_object('customer', c.key, 'product', p.store_product_id))::text
        FROM subscriptions s JOIN customers c ON c.id = s.customer_id LEFT JOIN products p ON p.id = s.product_id
        UNION ALL
        SELECT 'event ' || (to_jsonb(e) - '{id,subscription_id,notification_id,recorded_at}'::text[]
            || jsonb_build_object('subscription', s.original_transaction_id, 'environment', s.environment,
                'notification', n.notification_uuid))::text
        FROM subscription_events e JOIN subscriptions s ON s.id = e.subscription_id
        JOIN store_notifications n ON n.id = e.notification_id
        UNION ALL
        SELECT 'order ' || (to_jsonb(o) - '{id,app_id,customer_id,subscription_id,product_id,number,created_at,updated_at,
                search}'::text[]
            || jsonb_build_object('customer', c.key, 'subscription', s.original_transaction_id,
                'product', p.store_product_id,
                'day', left(o.number, 12)))::text
        FROM orders o JOIN customers c ON c.id = o.customer_id JOIN subscriptions s ON s.id = o.subscription_id
        JOIN products p ON p.id = o.product_id
        UNION ALL
        SELECT concat_ws(' ', 'entry', o.environment, o.transaction_id, t.kind = o.kind, t.status, t.store, t.environment,
            t.currency, t.occurred_at, sum(t.amount))
        FROM ledger_entries t JOIN orders o ON o.id = t.order_id
        GROUP BY o.id, t.kind = o.kind, t.status, t.store, t.environment, t.currency, t.occurred_at
        HAVING sum(t.amount) <> 0 OR t.kind = o.kind
        UNION ALL
        SELECT concat_ws(' ', 'access', s.original_transaction_id, s.environment, a.transaction_id, c.key, p.store_product_id,
            a.starts_at, a.ends_at, a.is_trial, a.is_family_shared, a.price, a.currency, a.country, a.ended_by, a.refunded_at)
        FROM access_periods a JOIN subscriptions s ON s.id = a.subscription_id JOIN customers c ON c.id = a.customer_id
        JOIN products p ON p.id = a.product_id
        WHERE a.retired_at IS NULL
        UNION ALL
        SELECT concat_ws(' ', 'failed charges', day, country, currency, sum(count))
        FROM (
            SELECT measure, day, country, currency, count FROM rollups
            UNION ALL
            SELECT measure, day, country, currency, count FROM rollup_entries
        ) cells
        WHERE measure = 'charge_failed'
        GROUP BY day, country, currency
        HAVING sum(count) <> 0
        UNION ALL
        SELECT concat_ws(' ', 'alias', a.environment, a.original_transaction_id, s.original_transaction_id)
        FROM subscription_aliases a JOIN subscriptions s ON s.id = a.subscription_id
        UNION ALL
        SELECT concat_ws(' ', 'notification', notification_uuid, type, subtype, state, last_error) FROM store_notifications
        """
}

extension [SimulatedMessage] {
    /// Returns the messages with some subscriptions renamed in the middle of their lives; each later message has the new name.
    fileprivate func namingSomeAnew() -> [SimulatedMessage] {
        let lives = Dictionary(grouping: self) { $0.transaction?["originalTransactionId"]?.string ?? "" }
        let middles = lives.compactMapValues { life in
            life.map { $0.notification["signedDate"]?.integer ?? 0 }.sorted()[life.count / 2]
        }
        var migrated: Set<String> = []
        return flatMap { message -> [SimulatedMessage] in
            guard let original = message.transaction?["originalTransactionId"]?.string,
                original.dropLast(4).hasSuffix("7"),
                let middle = middles[original],
                let signed = message.notification["signedDate"]?.integer, signed >= middle
            else { return [message] }
            var renamed = message
            renamed.transaction?["originalTransactionId"] = .string("m\(original)")
            renamed.transaction?["previousOriginalTransactionId"] = .string(original)
            renamed.renewal?["originalTransactionId"] = .string("m\(original)")
            guard migrated.insert(original).inserted else { return [renamed] }
            var migration = renamed
            migration.notification["notificationType"] = "MIGRATION"
            migration.notification["subtype"] = nil
            migration.notification["notificationUUID"] = .string("migration-of-\(original)")
            return [migration, renamed]
        }
    }
}

extension JSON {
    fileprivate var integer: Int64? {
        guard case .integer(let integer) = self else { return nil }
        return integer
    }
}

extension TestOffice {
    /// Returns a worker as another process would run it.
    fileprivate func anotherWorker() -> NotificationWorker {
        NotificationWorker(backOffice: anotherServer())
    }
}

/// A latch that opens once.
final class Latch: Sendable {
    private let state = Mutex(false)

    var isOpen: Bool { state.withLock { $0 } }

    func open() { state.withLock { $0 = true } }
}

/// A random generator of the same numbers for the same seed (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var value = state
        value = (value ^ (value >> 30)) &* 0xbf58_476d_1ce4_e5b9
        value = (value ^ (value >> 27)) &* 0x94d0_49bb_1331_11eb
        return value ^ (value >> 31)
    }
}
