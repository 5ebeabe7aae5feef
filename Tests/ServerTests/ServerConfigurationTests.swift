import Billing
import Configuration
import Desk
import Foundation
import Gateways
import HTTP
import Logging
import Operations
import Server
import Testing
import Web

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
        #expect(configuration.metricsAddress == nil)
        #expect(configuration.trustedProxies.isEmpty)
        #expect(configuration.storeProxy == .none)
        #expect(configuration.rateLimits == .standard)
        #expect(configuration.patience == 1)
        #expect(configuration.allowsPlainHTTP == false)
        #expect(configuration.logLevel == .info)
    }

    @Test("each variable is read")
    func all() throws {
        let configuration = try Self.read([
            "PERENNIAL_HOST": "::1", "PERENNIAL_PORT": "65535", "PERENNIAL_STATE": "/var/lib/perennial",
            "PERENNIAL_DATABASE_URL": "postgresql://one/a", "PERENNIAL_READ_DATABASE_URL": "postgresql://two/a",
            "PERENNIAL_PUBLIC_URL": "https://example.com", "PERENNIAL_METRICS_TOKEN": "token of sixteen",
            "PERENNIAL_LOG_LEVEL": "debug", "PERENNIAL_METRICS_ADDRESS": "127.0.0.1:9464",
            "PERENNIAL_TRUSTED_PROXIES": "127.0.0.1, 10.0.0.0/8 2001:db8::/32",
            "PERENNIAL_RATE_LIMITS": "customer=1/86400, receipts=1000000/1 address=off", "PERENNIAL_PATIENCE": "60",
        ])
        #expect(configuration.host == "::1")
        #expect(configuration.port == 65_535)
        #expect(configuration.stateDirectory.path == "/var/lib/perennial")
        #expect(configuration.databaseURL == "postgresql://one/a")
        #expect(configuration.readDatabaseURL == "postgresql://two/a")
        #expect(configuration.publicURL == "https://example.com")
        #expect(configuration.metricsToken == "token of sixteen")
        #expect(configuration.metricsAddress?.description == "127.0.0.1:9464")
        for address in ["127.0.0.1", "10.200.3.4", "2001:db8:ffff::1", "::ffff:10.1.1.1"] {
            #expect(configuration.trustedProxies.contains(address), "\(address)")
        }
        for address in ["127.0.0.2", "11.0.0.1", "2001:db9::1", "::1", "", "localhost"] {
            #expect(!configuration.trustedProxies.contains(address), "\(address)")
        }
        #expect(configuration.rateLimits[.customer] == RateLimit(calls: 1, seconds: 86_400))
        #expect(configuration.rateLimits[.receipts] == RateLimit(calls: 1_000_000, seconds: 1))
        #expect(configuration.rateLimits[.address] == nil)
        #expect(configuration.rateLimits[.session] == RateLimits.standard[.session])
        #expect(configuration.logLevel == .debug)
        #expect(configuration.patience == 60)
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
            "HOST", "PORT", "STATE", "DATABASE_URL", "READ_DATABASE_URL", "PUBLIC_URL", "METRICS_TOKEN",
            "METRICS_ADDRESS", "TRUSTED_PROXIES", "STORE_PROXY", "RATE_LIMITS", "LOG_LEVEL",
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
            ("PERENNIAL_PATIENCE", "0"), ("PERENNIAL_PATIENCE", "61"), ("PERENNIAL_PATIENCE", "1.5"),
            ("PERENNIAL_METRICS_ADDRESS", "0.0.0.0:9464"),
            ("PERENNIAL_METRICS_ADDRESS", "9464"), ("PERENNIAL_STORE_PROXY", "http://proxy.example.com:3128"),
        ]
    )
    func bad(_ name: String, _ value: String) throws {
        let problem = #expect(throws: ConfigurationProblem.self) { try Self.read([name: value]) }
        #expect(problem?.description.hasPrefix("\(name) is ") == true)
        #expect(problem?.description.hasSuffix("not \(value)") == true)
    }

    @Test(
        "a limit that cannot be held refuses the start and is named",
        arguments: [
            "customer", "customer=", "customer=0/60", "customer=1/0", "customer=1/86401", "customer=1000001/60",
            "customer=-9223372036854775808/60", "customer=10000000000000000000/60", "customer=1.5/60", "customer=1",
            "customer=1/60/60", "customers=1/60", "customer=OFF", "off=1/60", "customer=1/60s",
        ]
    )
    func badLimit(_ text: String) throws {
        let problem = #expect(throws: ConfigurationProblem.self) { try Self.read(["PERENNIAL_RATE_LIMITS": text]) }
        #expect(problem?.description.hasPrefix("PERENNIAL_RATE_LIMITS is a list such as customer=1200/60") == true)
        #expect(problem?.description.hasSuffix("\(text) is invalid") == true)
        #expect(try Self.read(["PERENNIAL_RATE_LIMITS": "off"]).rateLimits == .off)
    }

    @Test("a token that is soon guessed refuses the start and is named", arguments: ["x", "fifteen letters"])
    func shortToken(_ token: String) throws {
        let problem = #expect(throws: ConfigurationProblem.self) { try Self.read(["PERENNIAL_METRICS_TOKEN": token]) }
        #expect(problem?.description == "PERENNIAL_METRICS_TOKEN has at least 16 characters")
    }

    @Test(
        "an entry that is no proxy's address refuses the start in one line that names it",
        arguments: [
            ("localhost", "it is no IPv4 or IPv6 address"), ("10.0.0.0/33", "its prefix is a number from 1 to 32"),
            ("10.0.0.0/0", "its prefix is a number from 1 to 32"), ("::/0", "its prefix is a number from 1 to 128"),
            ("10.0.0.1/8", "it has bits behind its prefix; the range is 10.0.0.0/8"),
            ("2001:db8::1/32", "it has bits behind its prefix; the range is 2001:db8::/32"),
            ("10.0.0.0/", "its prefix is a number from 1 to 32"),
            ("10.0.0.0/+8", "its prefix is a number from 1 to 32"),
            ("10.0.0/8", "it is no IPv4 or IPv6 address"), ("[::1]", "it is no IPv4 or IPv6 address"),
            ("10.0.0.1:80", "it is no IPv4 or IPv6 address"), ("010.0.0.1", "it is no IPv4 or IPv6 address"),
            ("10.0.0.0/8/8", "its prefix is a number from 1 to 32"), ("fe80::1%eth0", "it is no IPv4 or IPv6 address"),
        ]
    )
    func badProxies(_ entry: String, _ reason: String) throws {
        let problem = #expect(throws: ConfigurationProblem.self) {
            try Self.read(["PERENNIAL_TRUSTED_PROXIES": "127.0.0.1, \(entry), ::1"])
        }
        #expect(problem?.description.hasPrefix("PERENNIAL_TRUSTED_PROXIES is a list of") == true)
        #expect(problem?.description.hasSuffix("; \(entry) is invalid: \(reason)") == true)
    }

    @Test("the usual variables of a proxy count only where the setting says so")
    func storeProxy() throws {
        let usual = ["https_proxy": "http://proxy.example.com:3128", "no_proxy": "localhost"]
        #expect(try Self.read(usual).storeProxy == .none)
        let asked = try Self.read(usual.merging(["PERENNIAL_STORE_PROXY": "environment"]) { $1 })
        #expect(asked.storeProxy == (try StoreProxy(environment: usual)))
        #expect(asked.storeProxy != .none)
        #expect(try Self.read(["PERENNIAL_STORE_PROXY": "environment"]).storeProxy == .none)
        let problem = #expect(throws: ConfigurationProblem.self) {
            try Self.read(["PERENNIAL_STORE_PROXY": "environment", "HTTPS_PROXY": "ftp://proxy.example.com"])
        }
        #expect(problem?.description.hasPrefix("PERENNIAL_STORE_PROXY cannot be followed: HTTPS_PROXY is no") == true)
    }

    private static func read(_ environment: [String: String]) throws -> ServerConfiguration {
        let provider = EnvironmentVariablesProvider(environmentVariables: environment)
        return try ServerConfiguration(reader: ConfigReader(provider: provider), environment: environment)
    }
}
