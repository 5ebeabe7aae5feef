/// The measures of service health. The database keeps the raw values.
package enum HealthMeasure: String, Hashable, Sendable, CaseIterable {
    /// Responses, by route; a good one is no fault of the server's.
    case request
    /// Staff's attempts to sign in; a good one succeeded.
    case signIn = "sign_in"
    /// Notifications that were applied: the time since the store signed them.
    case synced
    /// Notifications that were applied: the time since they arrived.
    case applied
    /// The time, in seconds, for which the longest-waiting notification has been due; sampled each minute.
    case queueAge = "queue_age"
    /// The number of notifications that waited; sampled each minute.
    case waitingNotifications = "waiting_notifications"
    /// The number of an app's notifications that had failed and wait for people; sampled each minute.
    case failedNotifications = "failed_notifications"
}
