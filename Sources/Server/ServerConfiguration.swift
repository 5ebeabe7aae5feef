import Billing
package import Configuration
package import Foundation
package import Gateways
package import HTTP
package import Logging
import NIOCore
package import Operations
package import Storage

/// The server's settings from the environment (`PERENNIAL_…`), with the defaults of a first start.
package struct ServerConfiguration: Sendable {
    package var host: String
    package var port: Int
    /// The directory of the private cluster and everything else that is kept.
    package var stateDirectory: URL
    /// A libpq connection string or URI; nil runs a private cluster in the state directory.
    package var databaseURL: String?
    /// A replica for the screens; nil reads from the primary.
    package var readDatabaseURL: String?
    /// The greatest age of what a screen shows; where the replica is further behind, the primary answers.
    package var replicaMaximumAge = Duration.seconds(30)
    /// The address in browsers, when a proxy stands before us; `https` makes cookies secure.
    package var publicURL: String?
    package var metricsToken: String?
    /// The address at which `/metrics` is answered without a token; nil is nowhere.
    package var metricsAddress: ListenAddress?
    /// The proxies of ours; what they say of whom a request comes from is believed.
    package var trustedProxies = TrustedProxies.none
    /// The way to the stores and to the issuers of tokens.
    package var storeProxy = StoreProxy.none
    /// The limits on how often apps may call.
    package var rateLimits = RateLimits.standard
    /// The staff who have to sign in with a second factor.
    package var requiredTwoFactor: Set<StaffRole> = []
    /// Seals what must not lie open in the database; nil keeps one in the state directory.
    package var secret: String?
    /// Lets people sign in over plain HTTP from other machines; for the demo, whose data is nobody's.
    package var allowsPlainHTTP = false
    /// The longest that the server may take to end once it is told to.
    package var shutdownLimit = Duration.seconds(25)
    /// The factor, from 1 to 60, by which calls wait longer than usual for the database before they are told that it is away.
    package var patience = 1
    package var logLevel: Logger.Level

    package init(
        host: String = "127.0.0.1",
        port: Int = 8080,
        stateDirectory: URL,
        databaseURL: String? = nil,
        readDatabaseURL: String? = nil,
        publicURL: String? = nil,
        metricsToken: String? = nil,
        logLevel: Logger.Level = .info
    ) {
        self.host = host
        self.port = port
        self.stateDirectory = stateDirectory
        self.databaseURL = databaseURL
        self.readDatabaseURL = readDatabaseURL
        self.publicURL = publicURL
        self.metricsToken = metricsToken
        self.logLevel = logLevel
    }

    /// Reads `PERENNIAL_HOST`, `_PORT`, `_STATE`, `_DATABASE_URL`, `_READ_DATABASE_URL`, `_READ_MAX_AGE`, `_PUBLIC_URL`,
    /// `_TRUSTED_PROXIES`, `_STORE_PROXY`, `_RATE_LIMITS`, `_TWO_FACTOR`, `_METRICS_TOKEN`, `_METRICS_ADDRESS`, `_SECRET`, `_SHUTDOWN_SECONDS`,
    /// `_PATIENCE` and `_LOG_LEVEL`. Empty is the same as absent.
    ///
    /// - Parameter environment: has the usual variables of a proxy, in case one is to be used.
    /// - Throws: `ConfigurationProblem` naming the variable.
    package init(
        reader: ConfigReader,
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws {
        let perennial = reader.scoped(to: "perennial")
        func text(_ key: ConfigKey) -> String? {
            perennial.string(forKey: key).flatMap { $0.isEmpty ? nil : $0 }
        }
        self.init(
            stateDirectory: URL(fileURLWithPath: text("state") ?? ".perennial", isDirectory: true).absoluteURL,
            databaseURL: text("database.url"),
            readDatabaseURL: text("read.database.url"),
            publicURL: text("public.url")
        )
        if let host = text("host") { self.host = host }
        if let proxies = text("trusted.proxies") { trustedProxies = try Self.trustedProxies(proxies) }
        if let proxy = text("store.proxy") { storeProxy = try Self.storeProxy(proxy, environment) }
        if let limits = text("rate.limits") { rateLimits = try Self.rateLimits(limits) }
        if let roles = text("two.factor") { requiredTwoFactor = try Self.requiredTwoFactor(roles) }
        if let address = text("metrics.address") { metricsAddress = try Self.metricsAddress(address) }
        if let token = text("metrics.token") {
            guard token.utf8.count >= 16 else {
                throw ConfigurationProblem("PERENNIAL_METRICS_TOKEN has at least 16 characters")
            }
            metricsToken = token
        }
        if let secret = text("secret") {
            guard secret.utf8.count >= 32 else {
                throw ConfigurationProblem("PERENNIAL_SECRET has at least 32 characters")
            }
            self.secret = secret
        }
        if let port = text("port") {
            guard let number = Int(port), (0...65_535).contains(number) else {
                throw ConfigurationProblem("PERENNIAL_PORT is a number from 0 to 65535, not \(port)")
            }
            self.port = number
        }
        if let age = text("read.max.age") {
            guard let seconds = Int(age), (1...3_600).contains(seconds) else {  // safe: reads text
                throw ConfigurationProblem("PERENNIAL_READ_MAX_AGE is a number of seconds from 1 to 3600, not \(age)")
            }
            replicaMaximumAge = .seconds(seconds)
        }
        if let seconds = text("shutdown.seconds") {
            guard let number = Int(seconds), (1...3_600).contains(number) else {  // safe: reads text
                throw ConfigurationProblem("PERENNIAL_SHUTDOWN_SECONDS is a number from 1 to 3600, not \(seconds)")
            }
            shutdownLimit = .seconds(number)
        }
        if let times = text("patience") {
            guard let number = Int(times), (1...60).contains(number) else {  // safe: reads text
                throw ConfigurationProblem("PERENNIAL_PATIENCE is a number from 1 to 60, not \(times)")
            }
            patience = number
        }
        if let level = text("log.level") {
            guard let known = Logger.Level(rawValue: level) else {
                let levels = Logger.Level.allCases.map(\.rawValue).joined(separator: ", ")
                throw ConfigurationProblem("PERENNIAL_LOG_LEVEL is one of \(levels), not \(level)")
            }
            logLevel = known
        }
    }

    private static func trustedProxies(_ text: String) throws -> TrustedProxies {
        do throws(TrustedProxies.BadEntry) {
            return try TrustedProxies(text)
        } catch {
            throw ConfigurationProblem(
                "PERENNIAL_TRUSTED_PROXIES is a list of addresses and ranges such as 10.0.0.0/8; \(error.entry) is invalid: "
                    + error.reason
            )
        }
    }

    private static func requiredTwoFactor(_ text: String) throws -> Set<StaffRole> {
        guard text != "required" else { return Set(StaffRole.allCases) }
        return try text.split { $0 == "," || $0.isWhitespace }.reduce(into: []) { roles, name in
            guard let role = StaffRole(rawValue: String(name)) else {
                let names = StaffRole.allCases.map(\.rawValue).joined(separator: ", ")
                throw ConfigurationProblem(
                    "PERENNIAL_TWO_FACTOR is required for everybody, or a list of roles (\(names)), not \(name.prefix(60))"
                )
            }
            roles.insert(role)
        }
    }

    private static func storeProxy(_ text: String, _ environment: [String: String]) throws -> StoreProxy {
        guard text == "environment" else {
            throw ConfigurationProblem("PERENNIAL_STORE_PROXY is environment or nothing, not \(text)")
        }
        do throws(GatewayError) {
            return try StoreProxy(environment: environment)
        } catch {
            throw ConfigurationProblem("PERENNIAL_STORE_PROXY cannot be followed: \(error.message)")
        }
    }

    private static func rateLimits(_ text: String) throws -> RateLimits {
        do throws(RateLimits.BadEntry) {
            return try RateLimits(text)
        } catch {
            let names = RateLimitPolicy.allCases.map(\.rawValue).joined(separator: ", ")
            throw ConfigurationProblem(
                "PERENNIAL_RATE_LIMITS is a list such as customer=1200/60 or receipts=off, of \(names), with 1 to "
                    + "\(RateLimit.mostCalls) calls in 1 to \(RateLimit.longestWindow) seconds, or off; \(error.entry) is invalid"
            )
        }
    }

    private static func metricsAddress(_ text: String) throws -> ListenAddress {
        guard let address = ListenAddress(text) else {
            throw ConfigurationProblem(
                "PERENNIAL_METRICS_ADDRESS is an address of this machine itself and a port, such as 127.0.0.1:9464, not \(text)"
            )
        }
        return address
    }
}

/// A setting that cannot be used, in a sentence that names it.
package struct ConfigurationProblem: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) {
        self.description = description
    }
}

extension ConfigurationProblem {
    /// Says why nothing can listen at the configured address.
    init(listeningFailed error: IOError, at configuration: ServerConfiguration) {
        self.init(
            listeningFailed: error,
            at: "\(configuration.host):\(configuration.port)",
            portFrom: "PERENNIAL_PORT",
            hostFrom: "PERENNIAL_HOST"
        )
    }

    /// Says why nothing can listen at a host that no resolver knows.
    init(unknownHost host: String) {
        self.init(
            "\(host) is no address, and no name that this machine can resolve; set PERENNIAL_HOST to an address of this machine, "
                + "such as 127.0.0.1"
        )
    }

    /// Says why nothing can listen at the address for metrics.
    init(listeningFailed error: IOError, atMetrics address: ListenAddress) {
        self.init(
            listeningFailed: error,
            at: address.description,
            portFrom: "PERENNIAL_METRICS_ADDRESS",
            hostFrom: "PERENNIAL_METRICS_ADDRESS"
        )
    }

    private init(listeningFailed error: IOError, at address: String, portFrom port: String, hostFrom host: String) {
        switch error.errnoCode {
        case EADDRINUSE: self.init("\(address) is taken by another program; set \(port) to a free port")
        case EACCES: self.init("\(address) is not ours to listen at; set \(port) to a port from 1024")
        case EADDRNOTAVAIL: self.init("\(address) is no address of this machine; set \(host) to one that is")
        default: self.init("nothing can listen at \(address): \(String(cString: strerror(error.errnoCode)))")
        }
    }
}
