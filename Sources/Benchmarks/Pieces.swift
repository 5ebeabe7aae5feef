import APITypes
import ArgumentParser
import Desk
import Foundation
import Gateways
import HTML
import HTTP
import StoreSimulator
import Words

/// Measures the cost of single pieces on one core.
struct Pieces: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "What rendering, JSON and signatures cost.")

    @Flag(help: "Shorter rounds, for a look.")
    var quick = false

    func run() async throws {
        let stopwatch = quick ? Stopwatch(rounds: 3, round: 50_000) : Stopwatch()
        try measurePages(stopwatch)
        try measureResources(stopwatch)
        try await measureNotifications(stopwatch)
    }

    private func measurePages(_ stopwatch: Stopwatch) throws {
        let page = SampleOrders.page
        var length = 0
        try say("page: template", stopwatch.microseconds { length = Self.length(of: page) })
        try say("page: from rows", stopwatch.microseconds { length = Self.length(of: SampleOrders.page) })
        try Finding(name: "page: size", value: Double(length), unit: "bytes").say()
    }

    /// The API's own writer, which follows from the fields of a resource, beside Foundation's.
    private func measureResources(_ stopwatch: Stopwatch) throws {
        let page = SampleOrders.resources
        var length = 0
        let byFields = stopwatch.microseconds {
            var json = JSONWriter()
            page.write(to: &json)
            length = json.bytes.count
        }
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        let byFoundation = try stopwatch.microseconds { length = max(length, try encoder.encode(page).count) }
        try say("API: 25 orders written by their fields", byFields)
        try say("API: the same by Foundation's JSONEncoder", byFoundation)
        try Finding(name: "API: 25 orders", value: Double(length), unit: "bytes").say()
    }

    private func measureNotifications(_ stopwatch: Stopwatch) async throws {
        let sample = try SampleNotification()
        let (verifier, now) = (AppleVerifier(), Date())
        let warm = try await stopwatch.microsecondsAwaiting {
            _ = try await verifier.verify(signedPayload: sample.signedPayload, for: sample.configuration, at: now)
        }
        try say("notification: verified", warm)
        var isAuthentic = true
        let bare = stopwatch.microseconds {
            for message in sample.messages where !message.isAuthentic { isAuthentic = false }
        }
        guard isAuthentic, sample.messages.count == 3 else { throw ExitCode.failure }
        try say("notification: its three signatures checked", bare)
        try say("notification: signed", try stopwatch.microseconds { _ = try sample.signer.sign(sample.notification) })
        let bytes = SampleNotification.payloadBytes(of: sample.signedPayload)
        let json = try JSON(parsing: bytes)
        try say("JSON: a notification's payload read", try stopwatch.microseconds { _ = try JSON(parsing: bytes) })
        try say("JSON: a notification's payload written", stopwatch.microseconds { _ = json.bytes })
        try Finding(name: "JSON: size", value: Double(bytes.count), unit: "bytes").say()
    }

    private static func length(of page: OrderIndexPage) -> Int {
        var html = HTMLBuffer()
        page.render(into: &html)
        return html.count
    }

    private func say(_ name: String, _ microseconds: Double) throws {
        try Finding(name: name, value: microseconds, unit: "us").say()
    }
}
