// swift-tools-version: 6.2

import PackageDescription

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .treatAllWarnings(as: .error),
]

/// Of what computes while tests run, which is optimised in debug builds, too; assertions stay. The rest waits for PostgreSQL, and
/// would take longer to optimise than it saves.
let optimized: [SwiftSetting] =
    settings + [.unsafeFlags(["-O", "-assert-config", "Debug"], .when(configuration: .debug))]

/// Of what runs once or plays a store, which a release makes small instead of fast: that is quicker to build.
let small: [SwiftSetting] = settings + [.unsafeFlags(["-Osize"], .when(configuration: .release))]

/// What each target is for, and which it may import, is in docs/architecture.md; bin/check-imports holds it.
let package = Package(
    name: "perennial",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "perennial", targets: ["perennial"])
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-asn1", from: "1.7.4"),
        .package(url: "https://github.com/apple/swift-certificates", from: "1.21.1"),
        .package(url: "https://github.com/apple/swift-configuration", from: "1.4.0"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.2"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
        .package(url: "https://github.com/swiftcsv/SwiftCSV", from: "0.10.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    ],
    targets: [
        .systemLibrary(
            name: "CCurl",
            pkgConfig: "libcurl",
            providers: [.apt(["libcurl4-openssl-dev"]), .brew(["curl"])]
        ),
        .systemLibrary(
            name: "CLibPQ",
            pkgConfig: "libpq",
            providers: [.apt(["libpq-dev"]), .brew(["libpq"])]
        ),
        .systemLibrary(
            name: "COpenSSL",
            pkgConfig: "libcrypto",
            providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]
        ),
        .systemLibrary(
            name: "CQREncode",
            pkgConfig: "libqrencode",
            providers: [.apt(["libqrencode-dev"]), .brew(["qrencode"])]
        ),
        .target(
            name: "Postgres",
            dependencies: [
                "CivilCalendar", "CLibPQ",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Metrics", package: "swift-metrics"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            swiftSettings: optimized
        ),
        .target(name: "CivilCalendar", swiftSettings: optimized),
        .target(name: "Billing", dependencies: ["CivilCalendar"], swiftSettings: optimized),
        .target(
            name: "Storage",
            dependencies: [
                "Billing", "CivilCalendar", "Postgres",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            swiftSettings: settings,
            plugins: ["EmbedFiles"]
        ),
        .target(
            name: "Gateways",
            dependencies: [
                "Billing", "CCurl", "COpenSSL",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "SwiftASN1", package: "swift-asn1"),
                .product(name: "X509", package: "swift-certificates"),
            ],
            swiftSettings: optimized
        ),
        .target(
            name: "Operations",
            dependencies: [
                "Billing", "Gateways", "Storage",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Metrics", package: "swift-metrics"),
            ],
            swiftSettings: settings,
            plugins: ["EmbedFiles"]
        ),
        .target(
            name: "Jobs",
            dependencies: [
                "Billing", "Operations", "Storage",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            swiftSettings: settings
        ),
        .target(name: "Charts", swiftSettings: optimized),
        .target(name: "HTML", swiftSettings: optimized),
        .target(name: "APITypes", dependencies: ["CivilCalendar"], swiftSettings: settings),
        .target(
            name: "Words",
            dependencies: ["Storage"],
            swiftSettings: settings,
            plugins: ["CompileLanguages"]
        ),
        .target(
            name: "HTTP",
            dependencies: [
                "APITypes", "Billing", "CQREncode", "Operations", "Storage", "Words",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "CoreMetrics", package: "swift-metrics"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOHTTPCompression", package: "swift-nio-extras"),
                .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
                .product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            swiftSettings: settings
        ),
        .target(
            name: "API",
            dependencies: [
                "APITypes", "Billing", "HTTP", "Operations", "Storage", "Words",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOFoundationCompat", package: "swift-nio"),
            ],
            swiftSettings: settings
        ),
        .target(
            name: "Desk",
            dependencies: [
                "APITypes", "Billing", "Charts", "CivilCalendar", "HTML", "HTTP", "Operations", "Storage", "Words",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
            ],
            swiftSettings: settings,
            plugins: ["CompileTemplates", "EmbedFiles"]
        ),
        .target(
            name: "Web",
            dependencies: [
                "API", "APITypes", "Billing", "Desk", "HTTP", "Operations", "Storage", "Words",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            swiftSettings: settings
        ),
        .target(
            name: "Server",
            dependencies: [
                "Billing", "Gateways", "HTTP", "Jobs", "Operations", "Postgres", "Storage", "Web",
                .product(name: "Configuration", package: "swift-configuration"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Metrics", package: "swift-metrics"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "SwiftCSV", package: "SwiftCSV"),
                .product(name: "Yams", package: "Yams"),
            ],
            swiftSettings: small
        ),
        .target(
            name: "StoreSimulator",
            dependencies: [
                "Billing", "Gateways",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "SwiftASN1", package: "swift-asn1"),
                .product(name: "X509", package: "swift-certificates"),
            ],
            swiftSettings: small
        ),
        .executableTarget(
            name: "perennial",
            dependencies: [
                "Server", "StoreSimulator",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: small
        ),
        .executableTarget(
            name: "Benchmarks",
            dependencies: [
                "APITypes", "Billing", "Desk", "Gateways", "HTML", "HTTP", "Storage", "StoreSimulator", "Words",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Crypto", package: "swift-crypto"),
            ],
            swiftSettings: settings
        ),
        .target(name: "BuildTool", swiftSettings: settings),
        .executableTarget(name: "TemplateCompiler", dependencies: ["BuildTool"], swiftSettings: settings),
        .executableTarget(name: "LanguageCompiler", dependencies: ["BuildTool"], swiftSettings: settings),
        .executableTarget(name: "FileEmbedder", dependencies: ["BuildTool"], swiftSettings: settings),
        .plugin(name: "CompileLanguages", capability: .buildTool(), dependencies: ["LanguageCompiler"]),
        .plugin(name: "CompileTemplates", capability: .buildTool(), dependencies: ["TemplateCompiler"]),
        .plugin(name: "EmbedFiles", capability: .buildTool(), dependencies: ["FileEmbedder"]),
        .target(
            name: "TestSupport",
            dependencies: [
                "Gateways", "Postgres",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "Logging", package: "swift-log"),
            ],
            path: "Tests/TestSupport",
            swiftSettings: settings
        ),
        .target(
            name: "RouterTesting",
            dependencies: [
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
                .product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            path: "Tests/RouterTesting",
            swiftSettings: settings
        ),
        .testTarget(name: "APITypesTests", dependencies: ["APITypes"], swiftSettings: settings),
        .testTarget(name: "BillingTests", dependencies: ["Billing"], swiftSettings: settings),
        .testTarget(name: "ChartsTests", dependencies: ["Charts"], swiftSettings: settings),
        .testTarget(name: "HTMLTests", dependencies: ["HTML"], swiftSettings: settings),
        .testTarget(name: "FileEmbedderTests", dependencies: ["FileEmbedder"], swiftSettings: settings),
        .testTarget(name: "LanguageCompilerTests", dependencies: ["LanguageCompiler"], swiftSettings: settings),
        .testTarget(name: "TemplateCompilerTests", dependencies: ["TemplateCompiler"], swiftSettings: settings),
        .testTarget(
            name: "PostgresTests",
            dependencies: [
                "Postgres", "TestSupport",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Metrics", package: "swift-metrics"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "GatewaysTests",
            dependencies: [
                "Billing", "Gateways", "StoreSimulator", "TestSupport",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
                .product(name: "SwiftASN1", package: "swift-asn1"),
                .product(name: "X509", package: "swift-certificates"),
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "StoreSimulatorTests",
            dependencies: [
                "Billing", "Gateways", "StoreSimulator",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "StorageTests",
            dependencies: [
                "Billing", "Postgres", "Storage", "StoreSimulator", "TestSupport",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "JobsTests",
            dependencies: [
                "Billing", "Gateways", "Jobs", "Operations", "Postgres", "Storage", "StoreSimulator", "TestSupport",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "ServerTests",
            dependencies: [
                "Billing", "Gateways", "HTTP", "Operations", "Postgres", "Server", "Storage", "StoreSimulator",
                "TestSupport",
                "Web",
                .product(name: "Configuration", package: "swift-configuration"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "OperationsTests",
            dependencies: [
                "Billing", "Gateways", "Jobs", "Operations", "Postgres", "Storage", "StoreSimulator", "TestSupport",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "WebTests",
            dependencies: [
                "API", "APITypes", "Billing", "Desk", "Gateways", "HTML", "HTTP", "Jobs", "Operations", "Postgres",
                "RouterTesting", "Server", "Storage", "StoreSimulator", "TestSupport", "Web", "Words",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
                .product(name: "CoreMetrics", package: "swift-metrics"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
                .product(name: "NIOFoundationCompat", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            exclude: ["Pages/__Snapshots__"],
            swiftSettings: settings
        ),
    ],
    swiftLanguageModes: [.v6]
)
