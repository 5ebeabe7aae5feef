/// What is counted of how well the service works. Raw values are what the database keeps.
package enum HealthMeasure: String, Hashable, Sendable, CaseIterable {
    /// Answers, by route; good is what was no fault of the server's.
    case request
    /// Tries of staff to sign in; good is who was let in.
    case signIn = "sign_in"
    /// Notifications that were applied: how long after the store signed them.
    case synced
    /// Notifications that were applied: how long after they arrived.
    case applied
    /// For how long the notification that has been due longest was due, in seconds; sampled each minute.
    case queueAge = "queue_age"
    /// How many notifications waited; sampled each minute.
    case waitingNotifications = "waiting_notifications"
    /// How many notifications of an app had failed and wait for people; sampled each minute.
    case failedNotifications = "failed_notifications"
}
