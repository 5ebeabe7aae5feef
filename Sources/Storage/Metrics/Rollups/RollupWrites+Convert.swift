import Billing
import Postgres

extension Database {
    /// Converts the next month of an app that waits for it, in a transaction of its own, the newest first. Nobody adds to the cells meanwhile.
    package func convertMonth() async throws -> PieceOfRates {
        try await write { transaction in
            guard try await transaction.rollups.hasMonthsToConvert() else { return .nothing }
            guard try await transaction.rollups.isAddingAlone() else { return .held }
            return try await transaction.rollups.convertMonth() ? .piece : .nothing
        }
    }
}

extension RollupWrites {
    fileprivate func hasMonthsToConvert() async throws -> Bool {
        let rows = try await transaction.query("SELECT EXISTS (SELECT FROM months_to_convert)")
        return try rows.first?.decode(0, as: Bool.self) ?? false
    }

    /// - Returns: false where no month waits.
    fileprivate func convertMonth() async throws -> Bool {
        let waiting = try await transaction.query(
            "SELECT app_id, month FROM months_to_convert ORDER BY month DESC, app_id LIMIT 1"
        ).first
        guard let (app, month) = try waiting?.decode(App.ID.self, BusinessDay.self) else { return false }
        try await transaction.query("SELECT convert_months(\(app), \(month), \(month))")
        try await transaction.query("DELETE FROM months_to_convert WHERE app_id = \(app) AND month = \(month)")
        return true
    }
}
