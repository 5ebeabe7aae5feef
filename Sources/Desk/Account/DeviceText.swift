import HTTP
import Words

/// A browser's name in few words: "Firefox on Windows".
struct DeviceText: Sendable {
    let text: String

    init(_ userAgent: String?, _ strings: Strings) {
        guard let agent = userAgent, !agent.isEmpty else {
            text = strings.accountUnknownDevice.description
            return
        }
        let browser = Self.browsers.first { agent.contains($0.sign) }?.name
        let system = Self.systems.first { agent.contains($0.sign) }?.name
        text =
            switch (browser, system) {
            case (let browser?, let system?): strings.accountDeviceOn(browser: browser, system: system)
            case (let known?, nil), (nil, let known?): known
            case (nil, nil): String(agent.prefix(40))
            }
    }

    /// In the order in which they are looked for: most pretend to be some of those below them.
    private static let browsers: [(sign: String, name: String)] = [
        ("Edg/", "Edge"), ("OPR/", "Opera"), ("Firefox/", "Firefox"), ("FxiOS/", "Firefox"),
        ("CriOS/", "Chrome"), ("Chrome/", "Chrome"), ("Safari/", "Safari"), ("curl/", "curl"),
    ]
    private static let systems: [(sign: String, name: String)] = [
        ("Windows", "Windows"), ("Android", "Android"), ("iPhone", "iPhone"), ("iPad", "iPad"),
        ("Mac OS X", "macOS"), ("CrOS", "ChromeOS"), ("Linux", "Linux"),
    ]
}
