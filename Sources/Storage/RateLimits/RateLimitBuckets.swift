package import Foundation
import Postgres

/// The tokens that a bucket granted.
package struct RateLimitGrant: Sendable, Hashable {
    /// Tokens; 0 where it is empty.
    package var granted: Int64
    /// Tokens that are left in it.
    package var left: Int64
    /// Microseconds until there is one; 0 where there is.
    package var wait: Int64

    package init(granted: Int64, left: Int64, wait: Int64) {
        self.granted = granted
        self.left = left
        self.wait = wait
    }
}

/// A request for tokens from a bucket.
package struct RateLimitAsk: Sendable, Hashable {
    package var bucket: UUID
    /// Tokens when it is full, at least 1.
    package var depth: Int64
    /// Microseconds in which one comes back, at least 1.
    package var interval: Int64
    /// Tokens at once.
    package var most: Int64

    package init(of bucket: UUID, depth: Int64, interval: Int64, most: Int64) {
        self.bucket = bucket
        (self.depth, self.interval, self.most) = (max(1, depth), max(1, interval), most)
    }

    /// The number of tokens that a full bucket grants.
    func first(_ share: Int64) -> Int64 { min(max(1, most), max(1, depth / share)) }
}

extension Database {
    /// Takes tokens out of buckets, in one statement: simultaneous requests, on whatever server, wait for each other's rows.
    ///
    /// A bucket is one moment, `full_at`: each token that is taken puts it `interval` later, and time does the refilling (the generic
    /// cell rate algorithm, ITU-T I.371). The time is the database's own, one for all servers. It may be set back: then the bucket
    /// counts as empty, and not as empty until the old time comes again. The same where the limit was lowered.
    ///
    /// The table is not logged: nobody waits for the disk, and after a crash of the database all buckets are full.
    ///
    /// - Parameters:
    ///   - asks: the requests, each for another bucket.
    ///   - share: the part of a bucket that is given out at once, a tenth for 10, but one token at least.
    ///   - waited: the time that the caller has waited already.
    /// - Returns: the grant of each bucket, in order.
    package func takeTokens(
        _ asks: [RateLimitAsk],
        share: Int64,
        waited: Duration = .zero
    ) async throws -> [RateLimitGrant] {
        let share = max(1, share)
        let moment: Query = "coalesce(\(replacedNow), clock_timestamp())"
        let step: Query = "interval '1 microsecond' * asked.interval"
        let rows = try await writeAlone(
            """
            WITH asked AS (
                SELECT *
                FROM unnest(\(asks.map(\.bucket)), \(asks.map(\.depth)), \(asks.map(\.interval)), \(asks.map(\.most)),
                    \(asks.map { $0.first(share) })) AS asked (id, depth, interval, most, first)
            )
            INSERT INTO rate_limit_buckets AS bucket (id, full_at, granted)
            SELECT id, \(moment) + \(step) * first, first
            FROM asked
            ORDER BY id
            ON CONFLICT (id) DO UPDATE
            SET (full_at, granted) = (
                SELECT level.full_at + \(step) * granted.tokens, granted.tokens
                FROM asked
                CROSS JOIN LATERAL (SELECT \(moment) AS at) AS moment
                CROSS JOIN LATERAL (
                    SELECT least(greatest(bucket.full_at, moment.at), moment.at + \(step) * asked.depth) AS full_at
                ) AS level
                CROSS JOIN LATERAL (
                    SELECT floor(
                        extract(epoch FROM moment.at + \(step) * asked.depth - level.full_at) * 1000000 / asked.interval
                    )::bigint AS tokens
                ) AS inside
                CROSS JOIN LATERAL (
                    SELECT least(asked.most, inside.tokens, greatest(1, inside.tokens / \(share))) AS tokens
                ) AS granted
                WHERE asked.id = bucket.id
            )
            RETURNING id, granted,
                (SELECT greatest(0, floor(
                    extract(epoch FROM \(moment) + \(step) * asked.depth - full_at) * 1000000 / asked.interval
                ))::bigint FROM asked WHERE asked.id = bucket.id),
                (SELECT greatest(0, ceil(
                    extract(epoch FROM full_at - \(step) * (asked.depth - 1) - \(moment)) * 1000000
                ))::bigint FROM asked WHERE asked.id = bucket.id)
            """,
            timeout: doorTimeout - waited
        )
        let grants = try Dictionary(
            rows.map { row in
                let (id, granted, left, wait) = try row.decode(UUID.self, Int64.self, Int64.self, Int64.self)
                return (id, RateLimitGrant(granted: granted, left: left, wait: wait))
            }
        ) { first, _ in first }
        return asks.map { grants[$0.bucket] ?? RateLimitGrant(granted: 0, left: 0, wait: $0.interval) }
    }

    /// Forgets buckets that are full again.
    ///
    /// - Returns: how many.
    package func forgetFullBuckets() async throws -> Int {
        try await writeAlone(
            "DELETE FROM rate_limit_buckets WHERE full_at < coalesce(\(replacedNow), clock_timestamp())"
        ).affectedRows
    }
}
