package import Foundation
import Postgres

extension Database {
    /// Notes that these addresses pass requests on.
    package func noteUntrustedProxies(_ addresses: [String]) async throws {
        _ = try await writeAlone(
            """
            INSERT INTO untrusted_proxies (address, seen_at)
            SELECT address, \(now) FROM unnest(\(addresses)::text[]) AS address
            ORDER BY address
            ON CONFLICT (address) DO UPDATE SET seen_at = greatest(untrusted_proxies.seen_at, excluded.seen_at)
            """
        )
    }

    package func untrustedProxies(since moment: Date) async throws -> [String] {
        try await readPrimary { reader in
            try await reader.query("SELECT address FROM untrusted_proxies WHERE seen_at > \(moment) ORDER BY address")
                .map { try $0.decode(0, as: String.self) }
        }
    }

    package func forgetUntrustedProxies(before moment: Date) async throws {
        _ = try await writeAlone("DELETE FROM untrusted_proxies WHERE seen_at <= \(moment)")
    }
}
