/// The settings of an app's account at Google Play, by the names that the catalogue and the database have for it.
package enum GoogleSetting {
    /// A secret: the JSON file of a service account that the Play Console has invited.
    package static let serviceAccount = "serviceAccount"
    /// The audience of the push subscription: by default at Google the address that it pushes to.
    package static let pushAudience = "push.audience"
    /// The e-mail address of the service account that signs pushes.
    package static let pushAccount = "push.account"
    /// The subscription that pushes, `projects/…/subscriptions/…`; any that the account signs for where it is missing.
    package static let pushSubscription = "push.subscription"
    /// Scheme and host of the Developer API; Google's own where it is missing.
    package static let api = "api"
    /// The address of the keys that pushes are signed with; Google's own where it is missing.
    package static let certificates = "certs"
}
