import ArgumentParser
import Configuration
import Foundation
import Logging
import Server

/// The settings of this process, from its environment.
enum Setting {
    static func configuration() throws -> ServerConfiguration {
        try ServerConfiguration(reader: ConfigReader(provider: EnvironmentVariablesProvider()))
    }

    /// - Parameter isServer: a server logs what it does; a command says it, and its errors are its last line.
    static func wiring(isServer: Bool = false) throws -> Wiring {
        var configuration = try configuration()
        if !isServer, ProcessInfo.processInfo.environment["PERENNIAL_LOG_LEVEL"] == nil {
            configuration.logLevel = .critical
        }
        Logs.start(level: configuration.logLevel)
        if isServer {
            for unknown in UnknownVariable.all() {
                logger.warning("a variable is read by nothing", metadata: ["variable": "\(unknown)"])
            }
        }
        return Wiring(configuration, logger: logger)
    }

    /// To be used after `Logs.start`.
    static var logger: Logger { Logger(label: "perennial") }
}
