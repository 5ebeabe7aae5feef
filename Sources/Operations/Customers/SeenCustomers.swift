package import Billing
package import Foundation
import Storage
import Synchronization

/// The customers whose apps called this process, until they are written (`BackOffice.writeSeenCustomers`).
///
/// A call takes one lock and waits for nothing. A process that ends loses the sightings that it has not written.
package final class SeenCustomers: Sendable {
    private struct Sighting {
        var acceptLanguage: String?
        var userAgent: String?
        var at: Date

        func hasSameHeaders(as other: Sighting) -> Bool {
            acceptLanguage == other.acceptLanguage && userAgent == other.userAgent
        }
    }

    private struct State {
        var noted: GenerationalCache<Customer.ID, Sighting>
        var unwritten: [Customer.ID: Sighting] = [:]
    }

    private let state: Mutex<State>
    private let limit: Int

    /// - Parameter limit: half of how many customers are remembered at most, some 300 bytes each, and how many are written at once.
    init(limit: Int = 100_000) {
        self.limit = limit
        state = Mutex(State(noted: GenerationalCache(generation: limit)))
    }

    /// Notes a call, unless one that said the same was noted within the hour.
    ///
    /// - Parameters:
    ///   - acceptLanguage: the call's headers; of longer ones the beginning counts.
    package func note(_ customer: Customer.ID, acceptLanguage: String?, userAgent: String?, at now: Date) {
        let sighting = Sighting(
            acceptLanguage: acceptLanguage.map(Self.cut),
            userAgent: userAgent.map(Self.cut),
            at: now
        )
        state.withLock { state in
            if let noted = state.noted.value(of: customer), noted.hasSameHeaders(as: sighting),
                now.timeIntervalSince(noted.at) < CustomerActivity.grain
            {
                return
            }
            state.noted.keep(sighting, for: customer)
            if state.unwritten.count < limit || state.unwritten[customer] != nil {
                state.unwritten[customer] = sighting
            }
        }
    }

    /// Takes out what is to be written.
    func take() -> [Customer.ID: CustomerActivity] {
        let sightings = state.withLock { state in
            defer { state.unwritten = [:] }
            return state.unwritten
        }
        return sightings.mapValues { sighting in
            let client = ClientDescription(acceptLanguage: sighting.acceptLanguage, userAgent: sighting.userAgent)
            return CustomerActivity(
                lastSeenAt: sighting.at,
                locale: client.locale,
                platform: client.platform,
                appVersion: client.appVersion
            )
        }
    }

    /// Has what could not be written noted at the next call.
    func forget(_ customers: some Collection<Customer.ID>) {
        state.withLock { state in
            for customer in customers { state.noted.forget(customer) }
        }
    }

    /// Headers are from outside: a long one is not kept whole.
    private static func cut(_ header: String) -> String {
        header.utf8.count <= 300 ? header : String(decoding: header.utf8.prefix(300), as: UTF8.self)
    }
}

extension BackOffice {
    /// Writes the customers whose apps have called since the last time, a thousand at once.
    ///
    /// - Returns: the number of customers.
    package func writeSeenCustomers() async throws -> Int {
        var seen = seenCustomers.take()
        let count = seen.count
        while !seen.isEmpty {
            let some = Dictionary(uniqueKeysWithValues: seen.prefix(1_000).map { ($0.key, $0.value) })
            do {
                try await database.note(some)
            } catch {
                seenCustomers.forget(seen.keys)
                throw error
            }
            for customer in some.keys { seen[customer] = nil }
        }
        return count
    }
}
