package import Billing
package import Foundation
import Postgres

extension UsageReads {
    /// A page of the limits that customers have nearly used up. Each is judged by what the customer holds now, and by the catalogue that
    /// holds now: who was given more, or has another plan, is not there.
    package func nearLimits(
        _ filter: NearLimitFilter,
        app: App.ID,
        zone: TimeZone,
        seesPersonalData: Bool
    ) async throws -> ListPage<NearLimit> {
        let found = try await nearLimits(
            filter,
            most: ListPageSize.fetched,
            app: app,
            zone: zone,
            seesPersonalData: seesPersonalData
        )
        return ListPage(found, at: filter.position)
    }

    /// The number of limits nearly used up, among the first thousand that counts have noted; 100 stands for 100 or more.
    package func nearLimitCount(app: App.ID, zone: TimeZone) async throws -> Int {
        try await nearLimits(
            NearLimitFilter(),
            most: 100,
            steps: 10,
            app: app,
            zone: zone,
            seesPersonalData: false
        ).count
    }

    private func nearLimits(
        _ filter: NearLimitFilter,
        most: Int,
        steps: Int = .max,
        app: App.ID,
        zone: TimeZone,
        seesPersonalData: Bool
    ) async throws -> [NearLimit] {
        let catalog = try await reader.apps.catalog(of: app)
        let today = BusinessDay(reader.now, in: zone)
        var found: [NearLimit] = []
        var position = filter.position
        for _ in 0..<steps {
            guard found.count < most else { break }
            let some = try await candidates(filter.feature, at: position, of: catalog, today: today)
            found += try await judged(some, by: catalog, today: today, zone: zone, seesPersonalData: seesPersonalData)
            guard some.count == Self.step, let last = some.last?.place.cursor(rowsBefore: 0) else { break }
            if case .before = filter.position { position = .before(last) } else { position = .after(last) }
        }
        return Array(found.prefix(most))
    }

    /// The number of candidates that are judged at once.
    private static let step = 100

    /// The next whom a count judged to be near a limit in a window that is not over; backwards in reverse.
    private func candidates(
        _ feature: String?,
        at position: PagePosition,
        of catalog: AppCatalog,
        today: BusinessDay
    ) async throws -> [NearLimitCandidate] {
        let features = catalog.features.enumerated().filter { feature == nil || $0.element.code == feature }
        let isTurned = if case .before = position { true } else { false }
        let order = Query(unsafe: isTurned ? "DESC" : "ASC")
        let parts = features.map { index, feature -> Query in
            """
            (SELECT \(index)::bigint AS place, customer_id, near_limit_until, \(UsageCounter.columns)
            FROM usage_counters
            WHERE feature_id = \(feature.id) AND near_limit_until >= \(today)\(Self.beyond(position, feature: index))
            ORDER BY near_limit_until \(order), customer_id \(order)
            LIMIT \(Self.step))
            """
        }
        guard let first = parts.first else { return [] }
        let all = parts.dropFirst().reduce(first) { "\($0) UNION ALL \($1)" }
        let rows = try await reader.query(
            """
            SELECT *
            FROM (\(all)) candidates
            ORDER BY near_limit_until \(order), place \(order), customer_id \(order)
            LIMIT \(Self.step)
            """
        )
        return try rows.map { try NearLimitCandidate(row: $0) }
    }

    /// The condition for a feature's rows after a position, or before it.
    private static func beyond(_ position: PagePosition, feature: Int) -> Query {
        switch position {
        case .first: return ""
        case .after(let cursor):
            let place = NearLimitPlace(cursor)
            if feature == place.feature {
                return " AND (near_limit_until, customer_id) > (\(place.until), \(place.customer))"
            }
            return feature > place.feature
                ? " AND near_limit_until >= \(place.until)" : " AND near_limit_until > \(place.until)"
        case .before(let cursor):
            let place = NearLimitPlace(cursor)
            if feature == place.feature {
                return " AND (near_limit_until, customer_id) < (\(place.until), \(place.customer))"
            }
            return feature < place.feature
                ? " AND near_limit_until <= \(place.until)" : " AND near_limit_until < \(place.until)"
        }
    }

    /// Those who are near a limit now, in their order.
    private func judged(
        _ candidates: [NearLimitCandidate],
        by catalog: AppCatalog,
        today: BusinessDay,
        zone: TimeZone,
        seesPersonalData: Bool
    ) async throws -> [NearLimit] {
        let customers = Array(Set(candidates.map(\.place.customer)))
        guard !customers.isEmpty else { return [] }
        let held = try await reader.entitlementSources.of(customers)
        let known = try await reader.query(
            """
            SELECT id, key, external_id, CASE WHEN \(seesPersonalData) THEN name END,
                CASE WHEN \(seesPersonalData) THEN email END
            FROM customers
            WHERE id = ANY(\(customers.map(\.uuid))) AND merged_into IS NULL AND deleted_at IS NULL
            """
        ).map { row in
            var columns = try row.columns(5)
            return OrderDetails.Customer(
                id: try columns.next(),
                key: try columns.next(),
                externalID: try columns.next(),
                name: try columns.next(),
                email: try columns.next()
            )
        }
        let ends = UsageWindowEnds(on: today, in: zone)
        let byID = Dictionary(known.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        return candidates.compactMap { candidate in
            guard let customer = byID[candidate.place.customer],
                catalog.features.indices.contains(candidate.place.feature)
            else { return nil }
            let feature = catalog.features[candidate.place.feature].feature  // safe: an index of it
            let plan = catalog.planCode(of: held[customer.id], at: reader.now)
            guard
                case .included(let limits) = FeatureAccess(to: feature.feature.code, with: plan, of: catalog.plans),
                let usage = UsageByWindow(
                    candidate.counter,
                    limits: limits.increased(by: candidate.counter.increases, at: reader.now),
                    until: ends
                ).nearest
            else { return nil }
            return NearLimit(customer: customer, feature: feature, usage: usage, place: candidate.place)
        }
    }
}

/// A counter that was near a limit when something was last counted.
private struct NearLimitCandidate {
    let place: NearLimitPlace
    let counter: UsageCounter

    init(row: Row) throws {
        var columns = try row.columns(14)
        let (feature, customer): (Int64, Customer.ID) = (try columns.next(), try columns.next())
        place = NearLimitPlace(try columns.next(), feature: Int(clamping: feature), customer)
        counter = try UsageCounter(&columns)
    }
}
