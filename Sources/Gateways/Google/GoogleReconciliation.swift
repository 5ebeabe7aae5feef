package import Billing
package import Foundation

/// Asks Google which purchases were taken back (Voided Purchases), and where a subscription stands whose token has been silent.
package struct GoogleReconciliation: ReconciliationSource {
    private let reader: GoogleReader
    private let found: FoundVoids

    init(_ reader: GoogleReader, found: FoundVoids) {
        (self.reader, self.found) = (reader, found)
    }

    /// Thirty days of purchases that were taken back. Testers' are among production's.
    package func memory(in environment: StoreEnvironment) -> TimeInterval {
        switch environment {
        case .production: 30 * 86_400
        case .sandbox: 0
        }
    }

    /// Google lists no notifications, only what was taken back: each as the notification that it sends of it.
    package func readSentMessages(
        from start: Date,
        to end: Date,
        in environment: StoreEnvironment,
        _ take: @Sendable (SentPage) async throws -> Void
    ) async throws {
        guard environment == .production else { return }
        // A minute within what Google still knows, and not in its future.
        let earliest = reader.client.clock.now().addingTimeInterval(60 - memory(in: environment))
        let (start, end) = (max(start, earliest), min(end, reader.client.clock.now()))
        guard start < end else { return }
        var page: String?
        var seen: Set<String> = []
        repeat {
            let list: GoogleVoidedPurchases
            do throws(GoogleCallFailure) {
                list = try await reader.client.voidedPurchases(from: start, to: end, page: page)
            } catch {
                throw error.failure
            }
            let messages = list.purchases.map { purchase in
                SentMessage(found.delivery(of: purchase, in: reader.client.packageName), wasDelivered: false)
            }
            try await take(SentPage(messages, unreadable: list.unreadable))
            page = list.nextToken.flatMap { $0.isEmpty || !seen.insert($0).inserted ? nil : $0 }
        } while page != nil
    }

    package func events(
        of originalTransactionID: String,
        besides known: Set<String>,
        in environment: StoreEnvironment,
        at now: Date
    ) async throws(StoreFailure) -> SubscriptionStanding? {
        try await events(of: originalTransactionID, by: nil, besides: known, in: environment, at: now)
    }

    /// The purchase that is the newest of all that are known of the subscription is asked about, and each of its orders that is not
    /// known. Of what ended more than 60 days ago Google says nothing any more, and nothing changes.
    package func events(
        of originalTransactionID: String,
        by token: String?,
        besides known: Set<String>,
        in environment: StoreEnvironment,
        at now: Date
    ) async throws(StoreFailure) -> SubscriptionStanding? {
        do throws(GoogleCallFailure) {
            let orders = Set(known.map { GoogleItemName($0).order.text })
            var events = try await newestEvents(by: token, besides: orders)
            if events == nil {
                guard let token = try await newestToken(of: originalTransactionID, known) else { return nil }
                do throws(GoogleCallFailure) {
                    events = try await reader.events(ofToken: token, besides: orders)
                } catch {
                    guard error.failure.refusal != nil else { throw error }
                    return SubscriptionStanding([])
                }
            }
            let product = GoogleItemName(originalTransactionID).product
            let own = (events ?? []).filter { GoogleItemName($0.transaction.originalID).product == product }
            return SubscriptionStanding(own.filter { $0.environment == environment })
        } catch {
            throw error.failure
        }
    }

    /// - Returns: nil where Google does not know the purchase any more, or another has taken its place: the orders may lead to that.
    private func newestEvents(
        by token: String?,
        besides known: Set<String>
    ) async throws(GoogleCallFailure) -> [StoreEvent]? {
        guard let token else { return nil }
        do throws(GoogleCallFailure) {
            let facts = try await reader.facts(of: token)
            return facts.purchaseToken == nil ? nil : try await reader.events(of: facts, besides: known)
        } catch {
            guard error.failure.refusal != nil else { throw error }
            return nil
        }
    }

    private func newestToken(
        of originalTransactionID: String,
        _ known: Set<String>
    ) async throws(GoogleCallFailure) -> String? {
        // Of each purchase the newest order that is known.
        let names = Dictionary(
            known.union([originalTransactionID]).map { GoogleItemName($0).order }.map { ($0.base, $0) }
        ) {
            ($0.renewal ?? -1) < ($1.renewal ?? -1) ? $1 : $0
        }.values.map(\.text)
        let orders = try await reader.client.orders(names.sorted())
        return orders.max { ($0.createdAt ?? .distantPast) < ($1.createdAt ?? .distantPast) }?.token
    }

    package func transaction(
        _ id: String,
        in environment: StoreEnvironment,
        at now: Date
    ) async throws(StoreFailure) -> StoreEvent? {
        let name = GoogleItemName(id)
        do throws(GoogleCallFailure) {
            let events = try await reader.events(
                ofOrder: name.order.text,
                token: nil,
                id: GoogleReader.observed(id, reader.client.clock.now()),
                kind: .observed
            )
            // Of a token that Google has forgotten nobody knows that it was a tester's.
            return events.first { $0.transaction.id == id && $0.environment == environment }
        } catch {
            if error.isUnknown { return nil }
            throw error.failure
        }
    }

    package func requestTestNotification(in environment: StoreEnvironment) async throws(StoreFailure) -> String {
        throw .refused(
            StoreRefusal(
                GatewayError(
                    .malformed,
                    "Google Play sends a test notification from its console alone: Monetize with Play, Monetization setup."
                )
            )
        )
    }

    package func testNotification(
        _ token: String,
        in environment: StoreEnvironment
    ) async throws(StoreFailure) -> SentTestNotification? {
        nil
    }
}
