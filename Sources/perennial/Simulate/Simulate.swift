import ArgumentParser
import Foundation
import Server
import StoreSimulator

struct Simulate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Play a store: what it sends, and what it answers.",
        subcommands: [Apple.self, AppleServer.self, WeChat.self, Alipay.self, Google.self]
    )

    /// Where the test authority is kept.
    static func directory(_ given: String?) throws -> String {
        try given ?? Setting.configuration().stateDirectory.appending(path: "simulator").path
    }
}

/// The address at which a server takes a store's notifications.
enum WebhookAddress {
    /// A bare server address gets the path; a longer one is taken as it is.
    static func webhook(of server: String, _ path: String = "/webhooks/apple") -> String {
        let bare = server.hasSuffix("/") ? String(server.dropLast()) : server
        let own = bare.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false).dropFirst(3).first ?? ""
        return own.isEmpty ? bare + path : bare
    }
}
