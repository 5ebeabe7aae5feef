import Configuration
import Foundation
import Logging
import Server
import Testing

@Suite("Server configuration") struct ServerConfigurationTests {
    @Test("a first start needs no setting")
    func defaults() throws {
        let configuration = try Self.read([:])
        #expect(configuration.host == "127.0.0.1")
        #expect(configuration.port == 8080)
        #expect(configuration.stateDirectory.lastPathComponent == ".perennial")
        #expect(configuration.databaseURL == nil)
        #expect(configuration.readDatabaseURL == nil)
        #expect(configuration.publicURL == nil)
        #expect(configuration.metricsToken == nil)
        #expect(configuration.allowsPlainHTTP == false)
        #expect(configuration.logLevel == .info)
    }

    @Test("each variable is read")
    func all() throws {
        let configuration = try Self.read([
            "PERENNIAL_HOST": "::1", "PERENNIAL_PORT": "65535", "PERENNIAL_STATE": "/var/lib/perennial",
            "PERENNIAL_DATABASE_URL": "postgresql://one/a", "PERENNIAL_READ_DATABASE_URL": "postgresql://two/a",
            "PERENNIAL_PUBLIC_URL": "https://example.com", "PERENNIAL_METRICS_TOKEN": "token",
            "PERENNIAL_LOG_LEVEL": "debug",
        ])
        #expect(configuration.host == "::1")
        #expect(configuration.port == 65_535)
        #expect(configuration.stateDirectory.path == "/var/lib/perennial")
        #expect(configuration.databaseURL == "postgresql://one/a")
        #expect(configuration.readDatabaseURL == "postgresql://two/a")
        #expect(configuration.publicURL == "https://example.com")
        #expect(configuration.metricsToken == "token")
        #expect(configuration.logLevel == .debug)
    }

    @Test("the same settings come from code, with dots for underscores")
    func inMemory() throws {
        let provider = InMemoryProvider(values: [
            "perennial.port": "9000", "perennial.database.url": "postgresql://one/a", "perennial.log.level": "error",
        ])
        let configuration = try ServerConfiguration(reader: ConfigReader(provider: provider))
        #expect(configuration.port == 9_000)
        #expect(configuration.databaseURL == "postgresql://one/a")
        #expect(configuration.logLevel == .error)
    }

    @Test("empty is the same as absent")
    func empty() throws {
        let names = [
            "HOST", "PORT", "STATE", "DATABASE_URL", "READ_DATABASE_URL", "PUBLIC_URL", "METRICS_TOKEN", "LOG_LEVEL",
        ]
        let configuration = try Self.read(Dictionary(uniqueKeysWithValues: names.map { ("PERENNIAL_\($0)", "") }))
        #expect(configuration.host == "127.0.0.1")
        #expect(configuration.port == 8080)
        #expect(configuration.databaseURL == nil)
        #expect(configuration.publicURL == nil)
        #expect(configuration.metricsToken == nil)
    }

    @Test(
        "a bad value is named with its variable",
        arguments: [
            ("PERENNIAL_PORT", "http"), ("PERENNIAL_PORT", "-1"), ("PERENNIAL_PORT", "65536"),
            ("PERENNIAL_PORT", "80 80"),
            ("PERENNIAL_LOG_LEVEL", "loud"), ("PERENNIAL_LOG_LEVEL", "INFO"),
        ]
    )
    func bad(_ name: String, _ value: String) throws {
        let problem = #expect(throws: ConfigurationProblem.self) { try Self.read([name: value]) }
        #expect(problem?.description.hasPrefix("\(name) is ") == true)
        #expect(problem?.description.hasSuffix("not \(value)") == true)
    }

    private static func read(_ environment: [String: String]) throws -> ServerConfiguration {
        let provider = EnvironmentVariablesProvider(environmentVariables: environment)
        return try ServerConfiguration(reader: ConfigReader(provider: provider))
    }
}
