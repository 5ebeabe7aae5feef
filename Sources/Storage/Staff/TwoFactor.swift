package import Foundation
import Postgres

/// The second factor of an account.
package struct TwoFactor: Sendable {
    /// The secret, sealed with the installation's key.
    package var sealedSecret: [UInt8]
    /// nil while it is being set up: sign-in does not ask for it yet.
    package var confirmedAt: Date?
    /// The time step of the last code that was taken.
    package var lastStep: Int64
    package var recoveryCodesLeft: Int

    package var isOn: Bool { confirmedAt != nil }

    fileprivate static func selection(where condition: Query) -> Query {
        """
        SELECT f.sealed_secret, f.confirmed_at, f.last_step,
            (SELECT count(*) FROM staff_recovery_codes c WHERE c.staff_id = f.staff_id AND c.used_at IS NULL)
        FROM staff_two_factor f
        WHERE \(condition)
        """
    }

    fileprivate init(row: Row) throws {
        (sealedSecret, confirmedAt, lastStep, recoveryCodesLeft) = try row.decode(
            [UInt8].self,
            Date?.self,
            Int64.self,
            Int.self
        )
    }
}

extension StaffReads {
    /// nil where nothing was ever set up.
    package func twoFactor(of id: Staff.ID) async throws -> TwoFactor? {
        try await reader.query(TwoFactor.selection(where: "f.staff_id = \(id)")).first.map(TwoFactor.init(row:))
    }
}

extension WriteTransaction {
    package var twoFactor: TwoFactorWrites { TwoFactorWrites(transaction: self) }
}

package struct TwoFactorWrites: Sendable {
    let transaction: WriteTransaction

    /// The second factor, locked until the transaction ends: two who bring the same code come one after the other.
    package func lock(_ id: Staff.ID) async throws -> TwoFactor? {
        try await transaction.lock(TwoFactor.selection(where: "f.staff_id = \(id) FOR UPDATE OF f"))
            .first.map(TwoFactor.init(row:))
    }

    /// Begins to set it up; what was begun before is forgotten. What is on already stays as it is.
    package func begin(_ id: Staff.ID, sealedSecret: [UInt8]) async throws {
        try await transaction.query(
            """
            INSERT INTO staff_two_factor (staff_id, sealed_secret, created_at, last_step)
            VALUES (\(id), \(sealedSecret), \(transaction.now), 0)
            ON CONFLICT (staff_id) DO UPDATE
            SET sealed_secret = excluded.sealed_secret, created_at = excluded.created_at, last_step = 0
            WHERE staff_two_factor.confirmed_at IS NULL
            """
        )
    }

    package func turnOn(_ id: Staff.ID, lastStep: Int64) async throws {
        try await transaction.query(
            """
            UPDATE staff_two_factor
            SET confirmed_at = \(transaction.now), last_step = \(lastStep)
            WHERE staff_id = \(id)
            """
        )
    }

    /// Notes which code was taken last.
    package func noteStep(_ step: Int64, of id: Staff.ID) async throws {
        try await transaction.query("UPDATE staff_two_factor SET last_step = \(step) WHERE staff_id = \(id)")
    }

    /// False when there was nothing to remove.
    package func remove(_ id: Staff.ID) async throws -> Bool {
        let rows = try await transaction.pipeline([
            "DELETE FROM staff_recovery_codes WHERE staff_id = \(id)",
            "DELETE FROM staff_two_factor WHERE staff_id = \(id)",
        ])
        return rows.last?.affectedRows == 1
    }

    /// Puts new recovery codes in the place of all there were.
    package func setRecoveryCodes(of id: Staff.ID, to hashes: [[UInt8]]) async throws {
        try await transaction.pipeline(
            ["DELETE FROM staff_recovery_codes WHERE staff_id = \(id)"]
                + hashes.map { "INSERT INTO staff_recovery_codes (staff_id, code_hash) VALUES (\(id), \($0))" }
        )
    }

    /// False when there is no such code, or it was used.
    package func useRecoveryCode(_ hash: [UInt8], of id: Staff.ID) async throws -> Bool {
        try await transaction.query(
            """
            UPDATE staff_recovery_codes
            SET used_at = \(transaction.now)
            WHERE staff_id = \(id) AND code_hash = \(hash) AND used_at IS NULL
            """
        ).affectedRows == 1
    }
}
