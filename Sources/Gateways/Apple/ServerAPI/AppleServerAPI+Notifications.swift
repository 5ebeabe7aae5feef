package import Billing

/// The notifications that Apple sent, and their delivery.
extension AppleServerAPI {
    /// All notifications of a time range, from its beginning or from a kept token.
    package func notifications(
        _ query: AppleNotificationQuery,
        after paginationToken: String? = nil,
        in environment: StoreEnvironment
    ) -> ApplePages<AppleNotificationHistoryPage> {
        ApplePages(endpoint: .notificationHistory, environment: environment, place: paginationToken) {
            [self] place, _ throws(AppleServerError) in
            try await notificationPage(query, after: place, in: environment)
        }
    }

    package func notificationPage(
        _ query: AppleNotificationQuery,
        after paginationToken: String? = nil,
        in environment: StoreEnvironment
    ) async throws(AppleServerError) -> AppleServerAnswer<AppleNotificationHistoryPage> {
        let call = AppleServerCall(
            .notificationHistory,
            "/inApps/v1/notifications/history",
            query: paginationToken.map { [("paginationToken", $0)] } ?? [],
            body: query.body
        )
        return try await ask(call, in: environment, read: AppleNotificationHistoryPage.init)
    }

    /// Has Apple send a notification of the type TEST to the app's address.
    package func requestTestNotification(
        in environment: StoreEnvironment
    ) async throws(AppleServerError) -> AppleServerAnswer<AppleTestNotification> {
        let call = AppleServerCall(.testNotification, "/inApps/v1/notifications/test")
        return try await ask(call, in: environment, read: AppleTestNotification.init)
    }

    /// The result of a test notification. `testNotificationNotFound` also means that Apple has not tried yet.
    package func testNotificationStatus(
        _ token: String,
        in environment: StoreEnvironment
    ) async throws(AppleServerError) -> AppleServerAnswer<AppleSentNotification> {
        try await ask(
            .testNotificationStatus,
            about: [token],
            in: environment,
            path: { "/inApps/v1/notifications/test/\($0.joined())" },
            read: AppleSentNotification.init
        )
    }
}
