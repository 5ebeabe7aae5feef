package import Billing
import Foundation
import Gateways
import Storage

/// A store that makes bills of an app's orders.
struct ConnectedBills: Sendable {
    var source: any BillSource
    var environment: StoreEnvironment

    /// The last day whose bill the store has made, unless it is late.
    func lastDay(at now: Date) -> BusinessDay {
        BusinessDay(now.addingTimeInterval(-source.billDelay), in: source.billZone).advanced(by: -1)
    }

    /// The beginning and end of a day by the store's clock.
    func span(of day: BusinessDay) -> Range<Date> {
        let start = day.start(in: source.billZone)
        return start..<max(start.addingTimeInterval(1), day.end(in: source.billZone))
    }
}

/// A store that makes bills of an app's orders.
package struct StoreWithBills: Sendable, Hashable {
    package var store: Store
    /// The reason why it cannot be asked, which people mend in its account; nil where it can.
    package var problem: String?
}

extension BackOffice {
    /// - Returns: nil where the app has no account there, or the store makes no bills of it.
    /// - Throws: `OperationsError` with `.misconfigured`.
    func billSource(of app: App.ID, at store: Store) async throws -> ConnectedBills? {
        guard let account = try await apps.entry(for: app)?.accounts[store], let gateway = gateways[store] else {
            return nil
        }
        do {
            guard let source = try gateway.bills(of: account) else { return nil }
            return ConnectedBills(source: source, environment: gateway.checkoutEnvironment(of: account))
        } catch {
            throw OperationsError(error)
        }
    }

    /// The stores that make bills of an app's orders, and those whose account is set up wrongly, so that nobody can ask.
    package func storesWithBills(of app: App.ID) async throws -> [StoreWithBills] {
        guard let accounts = try await apps.entry(for: app)?.accounts else { return [] }
        return accounts.values.sorted { $0.store.rawValue < $1.store.rawValue }.compactMap { account in
            do throws(GatewayError) {
                guard try gateways[account.store]?.bills(of: account) != nil else { return nil }
                return StoreWithBills(store: account.store, problem: nil)
            } catch {
                return StoreWithBills(store: account.store, problem: error.message)
            }
        }
    }
}
