import Billing
import Foundation
import Gateways
import HTTP
import Operations
import Postgres
import Storage

/// One thing the doctor looked at.
package struct Finding: Sendable {
    package var isWell: Bool
    /// The finding, and its remedy.
    package var text: String

    static func well(_ text: String) -> Finding { Finding(isWell: true, text: "ok    \(text)") }
    static func ill(_ text: String, mend: String) -> Finding {
        Finding(isWell: false, text: "wrong \(text)\n      \(mend)")
    }
}

extension Wiring {
    /// Looks at the installation from the outside in; stops where the rest depends on what is wrong.
    package func diagnose() async -> [Finding] {
        var findings = UnknownVariable.all().map { variable in
            Finding.ill(
                "\(variable)",
                mend: "correct its name or take it out of the environment; `perennial --help` lists the variables"
            )
        }
        do {
            let directory = try stateDirectory()
            findings.append(directory)
            findings += leftoversOfBackups()
            guard directory.isWell || configuration.databaseURL != nil else { return findings }
            findings += try await withBackOffice { backOffice in
                let version = try await backOffice.database.serverVersion()
                var found = [Finding.well("the database answers (PostgreSQL \(version)) and its schema is current")]
                found.append(try await InstallationSecret.finding(self.configuration, of: backOffice.database))
                found += try await self.copies(backOffice.database)
                found += try await self.apps(backOffice)
                found += try await self.stores(backOffice)
                found += try await self.checkouts(backOffice)
                found += try await self.reconciliations(backOffice)
                found.append(try await self.inbox(backOffice))
                found.append(try await self.work(backOffice))
                found.append(try await self.staff(backOffice))
                found += try await self.reports(backOffice)
                found += try await self.proxies(backOffice)
                return found
            }
        } catch {
            findings.append(.ill(FailureText.text(of: error) ?? "\(error)", mend: mend(error)))
        }
        return findings
    }

    private func stateDirectory() throws -> Finding {
        let path = configuration.stateDirectory.path
        guard FileManager.default.fileExists(atPath: path) else {
            guard configuration.databaseURL == nil else { return .well("the first server makes \(path)") }
            return .ill(
                "there is no installation in \(path)",
                mend: "set PERENNIAL_STATE to its directory; a first `perennial serve` makes one"
            )
        }
        guard FileManager.default.isWritableFile(atPath: path) else {
            return .ill("\(path) cannot be written", mend: "set PERENNIAL_STATE to a directory that you may write to")
        }
        return .well("the state directory is \(path)")
    }

    private func apps(_ backOffice: BackOffice) async throws -> [Finding] {
        let apps = try await backOffice.database.read { try await $0.apps.all() }
        guard !apps.isEmpty else {
            return [.ill("there is no app", mend: "perennial catalog apply Catalogs/readmigo.yaml")]
        }
        return apps.flatMap { app in
            guard !app.accounts.isEmpty else {
                return [
                    Finding.ill(
                        "\(app.slug) has no account at a store",
                        mend: "add apple: to its catalogue and apply it"
                    )
                ]
            }
            return app.accounts.map { stored in
                let account = stored.account
                if account.store == .apple, !account.isSimulated, account.appAppleID == nil {
                    return .ill(
                        "\(app.slug) has no App Store id, so production notifications are refused",
                        mend: "add apple.appAppleId to its catalogue and apply it"
                    )
                }
                let store = account.store == .apple ? "Apple" : account.store.rawValue
                return .well(
                    "\(app.slug) takes in \(account.identifier) from \(account.isSimulated ? "a simulator" : store)"
                )
            }
        }
    }

    private func inbox(_ backOffice: BackOffice) async throws -> Finding {
        let counts = try await backOffice.database.notificationCounts()
        let failed = counts["failed"] ?? 0
        guard failed == 0 else {
            return .ill(
                "\(failed) notifications failed",
                mend: "their page in the dashboard has the reason; then perennial work --retry-failed"
            )
        }
        return .well("no notification failed; \(counts["received"] ?? 0) wait")
    }

    private func work(_ backOffice: BackOffice) async throws -> Finding {
        let status = try await backOffice.database.workStatus()
        guard let alarm = status.alarm else {
            return .well(
                status.isWaiting ? "notifications wait and are applied" : "no notification waits to be applied"
            )
        }
        return .ill(
            alarm.sentence,
            mend:
                "see docs/operations.md, \"When the database is slow or away\"; nobody at all: perennial serve, or perennial work"
        )
    }

    private func staff(_ backOffice: BackOffice) async throws -> Finding {
        let staff = try await backOffice.database.read { try await $0.staff.all() }
        guard staff.contains(where: { $0.role == .admin && $0.disabledAt == nil }) else {
            return .ill(
                "nobody can sign in as admin",
                mend: "perennial staff add you@example.com --name You --role admin"
            )
        }
        return .well("\(staff.count) accounts, at least one admin")
    }

    /// Checks the proxies before us, and who can read the metrics.
    private func proxies(_ backOffice: BackOffice) async throws -> [Finding] {
        let strangers = try await backOffice.untrustedProxies().filter { !configuration.trustedProxies.contains($0) }
        var found = strangers.map { address in
            Finding.ill(
                "requests come through \(address), which is no trusted proxy: everybody behind it has that one address",
                mend:
                    "set PERENNIAL_TRUSTED_PROXIES=\(address) if it is your own proxy (docs/operations.md, Behind a proxy)"
            )
        }
        let endsTLS = configuration.publicURL?.lowercased().hasPrefix("https://") ?? false
        if endsTLS, configuration.trustedProxies.isEmpty, strangers.isEmpty {
            found.append(
                .ill(
                    "PERENNIAL_PUBLIC_URL is https://, so a proxy stands before us, and PERENNIAL_TRUSTED_PROXIES is not set",
                    mend: "set it to the proxy's address, such as 127.0.0.1 (docs/operations.md, Behind a proxy)"
                )
            )
        }
        if found.isEmpty { found.append(.well("no request came through a proxy that is not trusted")) }
        let metrics =
            switch (configuration.metricsToken, configuration.metricsAddress) {
            case (nil, nil):
                "/metrics returns 404 (PERENNIAL_METRICS_ADDRESS or PERENNIAL_METRICS_TOKEN turns it on)"
            case (nil, let address?): "/metrics is answered at \(address), to this machine only"
            case (_?, nil): "/metrics is answered to clients that send the token"
            case (_?, let address?): "/metrics is answered to clients that send the token, and to all at \(address)"
            }
        return found + [.well(metrics)]
    }

    private func mend(_ error: any Error) -> String {
        let (problem, refusal) = (error as? ConfigurationProblem, error as? PostgresError)
        let isCutShort = refusal?.message.contains("an upgrade that was cut short") == true
        if problem != nil || isCutShort || refusal?.code == .migration || refusal?.isFinalRefusal == true {
            return "nothing was changed; the line above says what to do"
        }
        if configuration.databaseURL != nil {
            return "check PERENNIAL_DATABASE_URL: psql \"$PERENNIAL_DATABASE_URL\" -c 'SELECT 1'"
        }
        if let error = error as? PostgresError, error.message.contains("directory") || error.message.contains("belongs")
        {
            return "set PERENNIAL_STATE to a directory that you may write to, or run as its owner"
        }
        return
            "install PostgreSQL 15 or newer (Debian: apt-get install postgresql-15; macOS: brew install postgresql@17), "
            + "or set PERENNIAL_DATABASE_URL; the cluster's log is in \(configuration.stateDirectory.path)/postgres"
    }
}
