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

    /// The stores that make bills of an app's orders; one that is set up wrongly is said elsewhere.
    package func storesWithBills(of app: App.ID) async throws -> [Store] {
        guard let accounts = try await apps.entry(for: app)?.accounts else { return [] }
        return accounts.values.filter { account in (try? gateways[account.store]?.bills(of: account)) != nil }
            .map(\.store).sorted { $0.rawValue < $1.rawValue }
    }
}
