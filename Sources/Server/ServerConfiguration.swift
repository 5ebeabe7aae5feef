package import Configuration
package import Foundation
package import Logging
import NIOCore

/// What the environment says (`PERENNIAL_…`), with the defaults of a first start.
package struct ServerConfiguration: Sendable {
    package var host: String
    package var port: Int
    /// Where the embedded cluster and everything else that is kept lives.
    package var stateDirectory: URL
    /// A libpq connection string or URI; nil runs a private cluster in the state directory.
    package var databaseURL: String?
    /// A replica for the screens; nil reads from the primary.
    package var readDatabaseURL: String?
    /// How old what a screen shows may be; where the replica is further behind, the primary answers.
    package var replicaMaximumAge = Duration.seconds(30)
    /// The address in browsers, when a proxy stands before us; `https` makes cookies secure.
    package var publicURL: String?
    package var metricsToken: String?
    /// Seals what must not lie open in the database; nil keeps one in the state directory.
    package var secret: String?
    /// Lets people sign in over plain HTTP from other machines; for the demo, whose data is nobody's.
    package var allowsPlainHTTP = false
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
    /// `_METRICS_TOKEN`, `_SECRET` and `_LOG_LEVEL`. Empty is the same as absent.
    ///
    /// - Throws: `ConfigurationProblem` naming the variable.
    package init(reader: ConfigReader) throws {
        let perennial = reader.scoped(to: "perennial")
        func text(_ key: ConfigKey) -> String? {
            perennial.string(forKey: key).flatMap { $0.isEmpty ? nil : $0 }
        }
        self.init(
            stateDirectory: URL(fileURLWithPath: text("state") ?? ".perennial", isDirectory: true).absoluteURL,
            databaseURL: text("database.url"),
            readDatabaseURL: text("read.database.url"),
            publicURL: text("public.url"),
            metricsToken: text("metrics.token")
        )
        if let host = text("host") { self.host = host }
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
            guard let seconds = Int(age), (1...3_600).contains(seconds) else {
                throw ConfigurationProblem("PERENNIAL_READ_MAX_AGE is a number of seconds from 1 to 3600, not \(age)")
            }
            replicaMaximumAge = .seconds(seconds)
        }
        if let level = text("log.level") {
            guard let known = Logger.Level(rawValue: level) else {
                let levels = Logger.Level.allCases.map(\.rawValue).joined(separator: ", ")
                throw ConfigurationProblem("PERENNIAL_LOG_LEVEL is one of \(levels), not \(level)")
            }
            logLevel = known
        }
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
    /// Why nothing can listen at the configured address.
    init(listeningFailed error: IOError, at configuration: ServerConfiguration) {
        let address = "\(configuration.host):\(configuration.port)"
        switch error.errnoCode {
        case EADDRINUSE: self.init("\(address) is taken by another program; set PERENNIAL_PORT to a free port")
        case EACCES: self.init("\(address) is not ours to listen at; set PERENNIAL_PORT to a port from 1024")
        case EADDRNOTAVAIL: self.init("\(address) is no address of this machine; set PERENNIAL_HOST to one that is")
        default: self.init("nothing can listen at \(address): \(String(cString: strerror(error.errnoCode)))")
        }
    }
}
