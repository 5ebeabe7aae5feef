package import Billing
import Gateways

/// The outcome of a question to a store about an order that nobody has opened.
package enum CheckoutProbe: Sendable, Hashable {
    /// The store answered, and its signature holds: keys, serials and clocks are right.
    case answered
    /// The reason that it was not answered, in a sentence for staff.
    case failed(String)
}

extension BackOffice {
    /// Asks a store about an order that it cannot know. Nothing is opened by it.
    ///
    /// - Returns: nil where the app opens no orders at the store.
    /// - Throws: the database's error.
    package func probeCheckouts(of app: App.ID, at store: Store) async throws -> CheckoutProbe? {
        let server: any CheckoutServer
        do {
            server = try await checkoutServer(of: app, at: store).server
        } catch let error as OperationsError where error.code == .conflict {
            return nil
        } catch let error as OperationsError where error.code == .misconfigured {
            return .failed(error.message)
        }
        do throws(StoreFailure) {
            _ = try await server.standing(of: CheckoutNumber.random())
            return .answered
        } catch {
            return .failed(error.message)
        }
    }
}
