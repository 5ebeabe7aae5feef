package import Billing
import Foundation
import Postgres

extension Queries {
    /// A page of an app's batches of promo codes, newest first.
    package func promoBatches(
        _ filter: PromoBatchFilter,
        app: App.ID,
        counts: CappedCounts
    ) async throws -> ListPage<ListedPromoBatch> {
        let conditions = conditions(of: filter, app: app)
        let keyset = KeysetClauses(
            columns: ("b.created_at", "b.id"),
            direction: .descending,
            position: filter.position
        ) { "\($0.date)" }
        let rows = try await reader.query(
            """
            SELECT \(PromoBatch.columns), (
                SELECT count(*) FROM (
                    SELECT FROM promo_redemptions r WHERE r.batch_id = b.id
                    LIMIT \(unsafe: String(ListedPromoBatch.mostCounted + 1))) AS counted)
            FROM \(PromoBatch.source)
            WHERE \(conditions)\(keyset.condition)
            ORDER BY \(keyset.order)
            LIMIT \(unsafe: String(ListPageSize.fetched))
            """
        )
        return try await counted(
            ListPage(try rows.map(ListedPromoBatch.init(row:)), at: filter.position),
            of: CountedList(app: app, filter: .promoBatches(filter.firstPage)),
            counts: counts,
            rows: "SELECT 1 FROM promo_batches b WHERE \(conditions)"
        )
    }

    /// nil where the app has no such batch.
    package func promoBatch(_ id: PromoBatch.ID, of app: App.ID) async throws -> PromoBatch? {
        let rows = try await reader.query(
            "SELECT \(PromoBatch.columns) FROM \(PromoBatch.source) WHERE b.id = \(id) AND b.app_id = \(app)"
        )
        guard var columns = try rows.first?.columns(PromoBatch.columnCount) else { return nil }
        return try PromoBatch(&columns)
    }

    /// A page of a batch's redemptions, newest first; a customer who was joined with another is the other.
    ///
    /// - Parameter seesPersonalData: without it neither names nor e-mail addresses leave the database.
    package func promoRedemptions(
        _ filter: PromoRedemptionFilter,
        seesPersonalData: Bool
    ) async throws -> ListPage<PromoRedemption> {
        let keyset = KeysetClauses(
            columns: ("r.redeemed_at", "r.id"),
            direction: .descending,
            position: filter.position
        ) { "\($0.date)" }
        let rows = try await reader.query(
            """
            SELECT r.id, r.code_number, c.id, c.key, c.external_id, CASE WHEN \(seesPersonalData) THEN c.name END,
                CASE WHEN \(seesPersonalData) THEN c.email END, g.starts_at, g.ends_at, g.ended_at IS NOT NULL,
                r.redeemed_at
            FROM promo_redemptions r
            JOIN customers own ON own.id = r.customer_id
            JOIN customers c ON c.id = coalesce(own.merged_into, own.id)
            JOIN grants g ON g.id = r.grant_id
            WHERE r.batch_id = \(filter.batch)\(keyset.condition)
            ORDER BY \(keyset.order)
            LIMIT \(unsafe: String(ListPageSize.fetched))
            """
        )
        return ListPage(try rows.map(PromoRedemption.init(row:)), at: filter.position)
    }

    /// The channels of an app's batches, in order; at most a hundred.
    package func promoChannels(of app: App.ID) async throws -> [String] {
        try await reader.query(
            "SELECT DISTINCT channel FROM promo_batches WHERE app_id = \(app) ORDER BY channel LIMIT 100"
        ).map { try $0.decode(0, as: String.self) }
    }

    private func conditions(of filter: PromoBatchFilter, app: App.ID) -> Query {
        let now = reader.now
        let begins: Query = "coalesce(b.starts_at > \(now), false)"
        let hasExpired: Query = "coalesce(b.expires_at <= \(now), false)"
        let state: Query =
            switch filter.state {
            case nil: ""
            case .stopped: " AND b.stopped_at IS NOT NULL"
            case .expired: " AND b.stopped_at IS NULL AND \(hasExpired)"
            case .scheduled: " AND b.stopped_at IS NULL AND NOT \(hasExpired) AND \(begins)"
            case .running: " AND b.stopped_at IS NULL AND NOT \(hasExpired) AND NOT \(begins)"
            }
        let channel: Query = filter.channel.map { " AND b.channel = \($0)" } ?? ""
        return "b.app_id = \(app)\(state)\(channel)"
    }
}

extension ListedPromoBatch {
    fileprivate init(row: Row) throws {
        var columns = try row.columns(PromoBatch.columnCount + 1)
        let batch = try PromoBatch(&columns)
        let counted: Int = try columns.next()
        self.init(batch: batch, redemptions: counted > Self.mostCounted ? nil : counted)
    }
}

extension PromoRedemption {
    fileprivate init(row: Row) throws {
        var columns = try row.columns(11)
        self.init(
            id: try columns.next(),
            codeNumber: try columns.next(),
            customer: try OrderDetails.Customer(&columns),
            startsAt: try columns.next(),
            endsAt: try columns.next(),
            isWithdrawn: try columns.next(),
            redeemedAt: try columns.next()
        )
    }
}
