public import Foundation

/// A customer's sessions: `GET /api/v1/auth/sessions`.
public struct CustomerSessionList: Resource {
    public var sessions: [Session]

    public static let fields = Fields<Self> {
        Field("sessions", \.sessions, "Those that are live, the newest first; a hundred at most.")
    }

    public init(sessions: [Session]) {
        self.sessions = sessions
    }

    /// One sign-in, or one token that was minted.
    public struct Session: Resource {
        public var id: UUID
        public var method: String
        public var createdAt: Date
        public var lastUsedAt: Date?
        public var expiresAt: Date
        public var current: Bool

        public static let fields = Fields<Self> {
            Field("id", \.id)
            Field(
                "method",
                \.method,
                """
                How it began: at Apple, WeChat or Alipay, by the app's own server (`minted`), or by the app's own login (`issuer`). \
                Values may be added.
                """
            )
            Field("createdAt", \.createdAt)
            Field("lastUsedAt", \.lastUsedAt, "To within ten minutes; null for one that was never used.")
            Field("expiresAt", \.expiresAt, "Unless it is refreshed.")
            Field("current", \.current, "Whether it is the session of the token that asks.")
        }

        public init(
            id: UUID,
            method: String,
            createdAt: Date,
            lastUsedAt: Date?,
            expiresAt: Date,
            current: Bool
        ) {
            self.id = id
            self.method = method
            self.createdAt = createdAt
            self.lastUsedAt = lastUsedAt
            self.expiresAt = expiresAt
            self.current = current
        }
    }
}
