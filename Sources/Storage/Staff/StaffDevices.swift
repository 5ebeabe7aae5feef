import Billing
package import Foundation
import Postgres

extension Reader {
    package var devices: StaffDeviceReads { StaffDeviceReads(reader: self) }
}

package struct StaffDeviceReads: Sendable {
    let reader: Reader

    /// True if somebody has signed in to this account from the browser before, and the browser was not forgotten since.
    package func isKnown(tokenHash: [UInt8], to staff: Staff.ID) async throws -> Bool {
        try await !reader.query(
            """
            SELECT FROM staff_devices
            WHERE token_hash = \(tokenHash) AND staff_id = \(staff) AND expires_at > \(reader.now)
            """
        ).isEmpty
    }
}

extension WriteTransaction {
    package var devices: StaffDeviceWrites { StaffDeviceWrites(transaction: self) }
}

package struct StaffDeviceWrites: Sendable {
    let transaction: WriteTransaction

    /// Older ones of an account are forgotten.
    private static let mostPerAccount = 20

    /// Remembers the browser that somebody has just signed in from, under a new token: who gave it the old one, or
    /// copied it, knows nothing of the new. What it knew of other accounts it goes on to know.
    package func remember(
        tokenHash new: [UInt8],
        replacing old: [UInt8]?,
        for staff: Staff.ID,
        until end: Date
    ) async throws {
        if let old {
            try await transaction.query("UPDATE staff_devices SET token_hash = \(new) WHERE token_hash = \(old)")
        }
        try await transaction.query(
            """
            INSERT INTO staff_devices (token_hash, staff_id, created_at, expires_at)
            VALUES (\(new), \(staff), \(transaction.now), \(end))
            ON CONFLICT (token_hash, staff_id) DO UPDATE
            SET created_at = excluded.created_at, expires_at = excluded.expires_at
            """
        )
        try await transaction.query(
            """
            DELETE FROM staff_devices
            WHERE staff_id = \(staff) AND token_hash IN (
                SELECT token_hash FROM staff_devices
                WHERE staff_id = \(staff)
                ORDER BY created_at DESC, token_hash
                OFFSET \(Self.mostPerAccount, as: Int32.self)
            )
            """
        )
    }

    /// Forgets every browser of an account.
    ///
    /// - Parameter kept: the one that stays known.
    package func forgetAll(of staff: Staff.ID, but kept: [UInt8]? = nil) async throws {
        try await transaction.query(
            "DELETE FROM staff_devices WHERE staff_id = \(staff) AND token_hash IS DISTINCT FROM \(kept)"
        )
    }
}

extension Database {
    package func removeEndedDevices() async throws {
        _ = try await writeAlone("DELETE FROM staff_devices WHERE expires_at <= \(now)")
    }
}
