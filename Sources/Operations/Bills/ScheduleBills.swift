import Billing
import Foundation
import Gateways
import Logging
import Storage

extension BackOffice {
    /// Has the bills of each app fetched that its stores have made. One app or store keeps no other back.
    ///
    /// - Returns: the number of accounts that are looked after.
    package func scheduleBills() async throws -> Int {
        let records = try await database.readPrimary { try await $0.apps.all() }
        var scheduled = 0
        for record in records {
            for account in try await storesWithBills(of: record.id) {
                let store = account.store
                do {
                    if let problem = account.problem { throw OperationsError(.misconfigured, problem) }
                    if try await scheduleBills(of: record.id, at: store) { scheduled += 1 }
                } catch {
                    try Task.checkCancellation()
                    logger.warning(
                        "bills not asked for",
                        metadata: ["app": "\(record.slug)", "store": "\(store.rawValue)", "error": "\(error)"]
                    )
                }
            }
        }
        return scheduled
    }

    /// - Returns: false where nothing was ever sold there.
    func scheduleBills(of app: App.ID, at store: Store) async throws -> Bool {
        guard let connected = try await billSource(of: app, at: store) else { return false }
        let first = try await database.readPrimary { reader in
            try await reader.firstOrder(of: app, at: store, in: connected.environment)
        }
        guard let first else { return false }
        let last = connected.lastDay(at: database.now)
        let start = max(BusinessDay(first, in: connected.source.billZone), last.advanced(by: 1 - Self.billDays))
        let days = start.number <= last.number ? (start.number...last.number).map { BusinessDay(number: $0) } : []
        try await database.write { transaction in
            try await transaction.bills.expect(
                days.map { ($0, connected.span(of: $0)) },
                of: app,
                at: store,
                in: connected.environment
            )
            try await transaction.bills.enqueueNext(of: app, at: store, in: connected.environment)
        }
        return true
    }

    /// The number of days, back from the last, whose bills are fetched.
    private static var billDays: Int { 30 }
}
