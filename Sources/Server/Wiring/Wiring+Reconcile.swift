import Billing
import Foundation
import Jobs
import Operations
import Storage

extension Wiring {
    /// Asks a store what it sent to the apps here, and applies what was missing.
    ///
    /// - Parameters:
    ///   - days: the number of days to look back; nil for since the last time.
    ///   - slug: nil for every app.
    /// - Returns: one finding for each app and environment.
    /// - Throws: `OperationsError` with `.notFound` for a store or an app that there is not.
    package func reconcile(_ name: String, days: Int?, app slug: String?) async throws -> [Finding] {
        guard let store = Store(rawValue: name), Store.known.contains(store) else {
            let stores = Store.known.map(\.rawValue).joined(separator: ", ")
            throw OperationsError(.notFound, "There is no store \(name); stores are \(stores).", field: "store")
        }
        return try await withWorker { backOffice, worker in
            var findings: [Finding] = []
            let apps = try await backOffice.database.readPrimary { try await $0.apps.all() }
            guard slug == nil || apps.contains(where: { $0.slug == slug }) else {
                throw OperationsError(.notFound, "There is no app \(slug ?? "").", field: "app")
            }
            for app in apps where slug == nil || app.slug == slug {
                guard try await backOffice.reconciliationSource(of: app.id, at: store) != nil else {
                    guard slug != nil else { continue }
                    throw OperationsError(
                        .misconfigured,
                        "\(app.slug) cannot ask \(store.rawValue): its catalogue has no key for that (\(store.rawValue).api).",
                        field: "app"
                    )
                }
                try await backOffice.recordReconciliation(of: app.id, at: store, days: days, caller: .systemUser)
                for environment in StoreEnvironment.allCases {
                    let done = try await backOffice.reconcile(
                        app.id,
                        at: store,
                        in: environment,
                        days: days,
                        trigger: .command
                    ) { _ = try await worker.drain() }
                    if let done { findings.append(Finding(done, of: app.slug)) }
                }
            }
            guard !findings.isEmpty else {
                throw OperationsError(
                    .misconfigured,
                    "No app here can ask \(store.rawValue): no catalogue has a key for that."
                )
            }
            return findings
        }
    }

    /// The newest reconciliation of each store, and apps that cannot be reconciled.
    func reconciliations(_ backOffice: BackOffice) async throws -> [Finding] {
        let apps = try await backOffice.database.readPrimary { try await $0.apps.all() }
        var findings: [Finding] = []
        for app in apps where app.accounts.contains(where: { $0.account.store == .apple && !$0.account.isSimulated }) {
            guard try await backOffice.reconciliationSource(of: app.id, at: .apple) == nil else { continue }
            findings.append(
                .ill(
                    "\(app.slug) cannot ask Apple for what got lost",
                    mend:
                        "add apple.api to its catalogue and apply it, or upload a key on the page Stores (docs/stores/apple.md, Keys)"
                )
            )
        }
        for app in apps {
            if let tested = await testNotification(of: app, backOffice) { findings.append(tested) }
            let latest = try await backOffice.database.readPrimary { reader in
                try await reader.screens.latestReconciliations(of: app.id)
            }
            findings += latest.map { Finding($0, of: app.slug) }
        }
        return findings
    }
}

extension Wiring {
    /// Asks Apple for a test notification, production first; the sandbox for an app that was never released.
    ///
    /// - Returns: nil for an app without a key.
    private func testNotification(of app: AppRecord, _ backOffice: BackOffice) async -> Finding? {
        let mend =
            "the address in App Store Connect has to lead to /webhooks/apple of a server that runs (docs/stores/apple.md)"
        var (refusal, silence) = ("", false)
        for environment in StoreEnvironment.allCases {
            let what = "a test notification of Apple for \(app.slug) (\(environment.rawValue))"
            do {
                let tested = try await testNotification(of: app.id, in: environment, backOffice)
                switch tested?.result {
                case nil: return nil
                case .arrived: return .well("\(what) came in and is verified")
                case .undelivered:
                    return .ill("Apple could not deliver \(what): \(tested?.reason ?? "OTHER")", mend: mend)
                case .elsewhere: return .ill("\(what) was delivered, but not to this installation", mend: mend)
                case .unanswered: silence = true
                case .refused: refusal = refusal.isEmpty ? tested?.reason ?? "" : refusal
                case .pending: return .ill("\(what) was not sent within 20 seconds", mend: "run the doctor again")
                }
            } catch let error as OperationsError where error.code == .overloaded {
                silence = true
            } catch let error as OperationsError {
                refusal = refusal.isEmpty ? error.message : refusal
            } catch {
                return .ill("\(what) could not be asked for", mend: FailureText.text(of: error) ?? "\(error)")
            }
        }
        guard !refusal.isEmpty || !silence else {
            return .ill(
                "Apple does not answer a request for a test notification for \(app.slug)",
                mend: "run the doctor again later"
            )
        }
        return .ill("Apple refuses a test notification for \(app.slug)", mend: refusal)
    }

    /// Waits for its turn, where one was asked for just now.
    private func testNotification(
        of app: App.ID,
        in environment: StoreEnvironment,
        _ backOffice: BackOffice
    ) async throws -> TestNotification? {
        guard (try await backOffice.reconciliationSource(of: app, at: .apple)) != nil else { return nil }
        do {
            _ = try await backOffice.requestTestNotification(of: app, at: .apple, in: environment, caller: .systemUser)
        } catch let error as OperationsError where error.code == .blocked {
            try await Task.sleep(for: .seconds(error.retryAfter ?? 10))
            _ = try await backOffice.requestTestNotification(of: app, at: .apple, in: environment, caller: .systemUser)
        }
        return try await backOffice.awaitedTestNotification(of: app, at: .apple, in: environment)
    }
}

extension Finding {
    fileprivate init(_ done: Reconciliation, of slug: String) {
        let counts = done.counts
        let place = "\(slug) \(done.store.rawValue) \(done.environment.rawValue)"
        let text = """
            \(place): \(counts.read) notifications read since \(done.readFrom.formatted(.iso8601)), \(counts.missed) were missing; \
            \(counts.checked) subscriptions asked for, \(counts.corrected) corrected
            """
        guard let problem = done.problem else {
            self = .well(text)
            return
        }
        self = .ill(text, mend: problem)
    }
}
