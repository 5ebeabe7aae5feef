package import Billing
package import Foundation

/// A live secret key of an app, which its own server calls with.
package struct AppKey: Sendable, Hashable {
    package typealias ID = Identifier<AppKey>

    package var id: ID
    /// The app that the key is of: every call with it is for this one.
    package var app: App.ID
    package var slug: String
    package var name: String
    package var scopes: Set<AppKeyScope>
    /// To within `useGrain`; nil for never.
    package var lastUsedAt: Date?

    /// The interval, in seconds, within which further uses are not recorded, so that a use of the key is not always a write.
    package static let useGrain: TimeInterval = 60

    /// As many keys of an app live at a time: the new one works before the old one ends.
    package static let most = 2

    package func has(_ scope: AppKeyScope) -> Bool { scopes.contains(scope) }
}

/// A secret key as pages and the command line list it: everything but the key.
package struct ListedAppKey: Sendable, Hashable {
    package var id: AppKey.ID
    package var name: String
    /// Its scopes, in the order of the cases.
    package var scopes: [AppKeyScope]
    /// The name of its creator.
    package var createdAs: String
    package var createdAt: Date
    /// To within `AppKey.useGrain`; nil for never.
    package var lastUsedAt: Date?
    /// The time and the actor of its revocation; nil for a live key.
    package var revocation: Revocation?

    package struct Revocation: Sendable, Hashable {
        package var at: Date
        package var actor: String

        package init(at: Date, by actor: String) {
            self.at = at
            self.actor = actor
        }
    }

    package var isLive: Bool { revocation == nil }

    package init(
        id: AppKey.ID,
        name: String,
        scopes: [AppKeyScope],
        createdAs: String,
        createdAt: Date,
        lastUsedAt: Date? = nil,
        revocation: Revocation? = nil
    ) {
        self.id = id
        self.name = name
        self.scopes = scopes
        self.createdAs = createdAs
        self.createdAt = createdAt
        self.lastUsedAt = lastUsedAt
        self.revocation = revocation
    }
}
