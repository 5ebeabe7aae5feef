package import Billing
package import Hummingbird
package import Operations

/// Counts the calls of apps and of their servers; the dashboard, staff's programs and stores are not counted.
package struct CallLimits: Sendable {
    package let limiter: RateLimiter
    package let apps: AppDirectory
    package let addresses: ClientAddress

    package init(limiter: RateLimiter, apps: AppDirectory, addresses: ClientAddress) {
        self.limiter = limiter
        self.apps = apps
        self.addresses = addresses
    }

    /// Counts a call by the address that it comes from, before anybody asks whose it is: who tries tokens is counted, too.
    ///
    /// - Parameter signsIn: that it is counted as a sign-in as well.
    package func count(_ request: Request, _ context: WebRequestContext, signsIn: Bool = false) async throws {
        guard let name = addresses.counted(request, peer: context.peer) else { return }
        try await context.take([.address(name)] + (signsIn ? [.signIns(from: name)] : []), from: limiter)
    }

    /// Counts a call, which was counted by its address already, as a sign-in as well: a token names somebody for the first time.
    package func countSignUp(_ request: Request, _ context: WebRequestContext) async throws {
        guard let name = addresses.counted(request, peer: context.peer) else { return }
        try await context.take([.signIns(from: name)], from: limiter)
    }

    /// Counts a call by who makes it, by the limits of their app.
    package func count(_ subjects: [RateLimitSubject], of app: App.ID, _ context: WebRequestContext) async throws {
        try await context.take(subjects, own: await apps.rateLimits(of: app), from: limiter)
    }
}

extension WebRequestContext {
    /// Takes a token of each bucket, and notes for the answer where the caller stands.
    ///
    /// - Parameter own: the app's own limits.
    /// - Throws: `RateLimitExceeded`.
    package func take(
        _ subjects: [RateLimitSubject],
        own: [RateLimitPolicy: RateLimit] = [:],
        from limiter: RateLimiter
    ) async throws {
        do {
            notes.note(try await limiter.take(subjects, own: own))
        } catch let error as RateLimitExceeded {
            notes.note(error.states)
            throw error
        }
    }
}
