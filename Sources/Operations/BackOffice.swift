package import Gateways
package import Logging
package import Storage

/// Everything an operation needs; each verb of the product is one `extension BackOffice` in its own file.
package struct BackOffice: Sendable {
    package let database: Database
    package let apps: AppDirectory
    package let inbox: NotificationInbox
    package let logger: Logger
    package let health: HealthCounters
    package let pulse = Pulse()
    package let proxies = ProxySightings()
    package let remembered = RememberedStaff()
    package let seenCustomers = SeenCustomers()
    let numbers: OrderNumbers
    package let recording: RecordingClock
    package let filling = FillingProgress()
    let gateways: StoreGateways
    let accountSecrets: AccountSecrets
    let storeAddresses: StoreAddresses
    package let accessTokens: AccessTokens
    let issuedTokens: IssuedTokens
    /// Of whoever calls with a token.
    let sessionReads: GroupedCalls<CustomerSessionAsk, CustomerSession?>
    /// Records the use of sessions; there is no answer.
    let sessionTouches: GroupedCalls<CustomerSession.ID, Void>
    let calendar = UsageCalendar()
    let usageCounts: UsageCounts
    package let catalogs: RememberedCatalogs
    package let entitlements: RememberedEntitlements
    package let entitlementWatch: EntitlementWatch
    package let rateLimiter: RateLimiter
    /// nil where nothing can be sealed; then two-factor sign-in cannot be set up.
    let cipher: FieldCipher?
    /// Of a password that is set from now on; what is kept says its own.
    let passwordCost: PasswordHash.Cost
    let passwords: PasswordThreads

    package init(
        database: Database,
        inbox: NotificationInbox,
        logger: Logger,
        gateways: StoreGateways = .shipped,
        cipher: FieldCipher? = nil,
        passwordCost: PasswordHash.Cost = .standard,
        passwords: PasswordThreads = .shared,
        health: HealthCounters = HealthCounters(),
        recordingTime: RecordingTime = .whenApplied,
        rateLimits: RateLimits = .standard,
        issuers: IssuerVerifier = IssuerVerifier(),
        storeAddresses: StoreAddresses = .none
    ) {
        self.database = database
        self.inbox = inbox
        self.logger = logger
        self.gateways = gateways
        self.cipher = cipher
        self.passwordCost = passwordCost
        self.passwords = passwords
        self.health = health
        self.storeAddresses = storeAddresses
        recording = RecordingClock(recordingTime)
        accountSecrets = AccountSecrets(cipher: cipher)
        accessTokens = AccessTokens(database: database, cipher: cipher)
        issuedTokens = IssuedTokens(verifier: issuers)
        sessionReads = GroupedCalls { asks, waited in
            try await database.readPrimary { try await $0.customerSessions(asks, waited: waited) }
        }
        sessionTouches = GroupedCalls { sessions, waited in
            try await database.touch(sessions, waited: waited)
            return sessions.map { _ in }
        }
        usageCounts = UsageCounts(database: database)
        catalogs = RememberedCatalogs(database: database)
        entitlements = RememberedEntitlements(database: database)
        entitlementWatch = EntitlementWatch(database: database)
        rateLimiter = RateLimiter(rateLimits, database: database)
        apps = AppDirectory(database: database, secrets: accountSecrets)
        numbers = OrderNumbers(database: database)
    }
}
