import Billing
import Foundation
import Logging
import Storage

extension BackOffice {
    /// Writes down what ends in 7, 3 or 1 days and cannot renew by itself, each once for its end, whichever server looks. Whoever is to be
    /// told (the customer's timeline, an app) reads it there.
    ///
    /// - Returns: the number of new reminders.
    package func remindOfExpiries() async throws -> Int {
        let records = try await database.readPrimary { try await $0.apps.all() }
        var written = 0
        for record in records {
            do {
                written += try await remindOfExpiries(of: record.id)  // safe: counts of rows
            } catch {
                try Task.checkCancellation()
                logger.warning("not reminded of ends", metadata: ["app": "\(record.slug)", "error": "\(error)"])
            }
        }
        return written
    }

    private func remindOfExpiries(of app: App.ID) async throws -> Int {
        var written = 0
        var position: EndingSubscription.Position?
        repeat {
            let (batch, next) = try await database.endingSubscriptions(
                of: app,
                before: database.now.addingTimeInterval(ExpiryReminder.longest),
                after: position,
                limit: Self.endsAtOnce
            )
            for subscription in batch {
                let due = ExpiryReminder.due(
                    endingAt: subscription.endsAt,
                    startingAt: subscription.startsAt,
                    at: database.now
                )
                guard let due, !subscription.reminded.contains(due) else { continue }
                let isNew = try await database.write { transaction in
                    try await transaction.remind(of: subscription, days: due, app: app)
                }
                if isNew { written += 1 }
            }
            position = next
        } while position != nil
        return written
    }

    private static var endsAtOnce: Int { 500 }
}
