import Billing
import Foundation
import HTTP
import Storage
import Words

/// The common data of the sample pages: a time, people and keys that never change.
enum Sample {
    /// 21 Nov 2026, 10:40 in Shanghai.
    static let now = Date(timeIntervalSince1970: 1_795_228_800)

    static let viewer = viewer()
    static func viewer(in language: Language) -> Viewer { viewer(language: language) }
    static let analyst = viewer(name: "Olga Petrova", role: .analyst)

    static func viewer(
        name: String = "Lin Wei",
        role: StaffRole = .admin,
        language: Language = .english,
        theme: StaffTheme = .system,
        apps: Int = 2,
        failed: Int = 2,
        zone: String = "Asia/Shanghai",
        shortcuts: Bool = true
    ) -> Viewer {
        let all = [ViewerApp(slug: "kombin", name: "Kombin"), ViewerApp(slug: "readmigo", name: "Readmigo")]
        var viewer = Viewer(
            name: name,
            role: role,
            strings: Strings(language),
            csrfToken: "c3RhYmxlLXRva2Vu",
            theme: theme,
            shortcuts: shortcuts,
            app: all[1],
            apps: all.suffix(apps),
            zone: .named(zone),
            failedNotifications: failed
        )
        viewer.requestID = requestID
        return viewer
    }

    static let requestID = "3f6c1d5e9a7b4c20"

    static func uuid(_ number: Int) -> UUID {
        let digits = String(number, radix: 16)
        let last = String(repeating: "0", count: 12 - digits.count) + digits
        guard let uuid = UUID(uuidString: "01931f3a-7000-7000-8000-\(last)") else { preconditionFailure("\(number)") }
        return uuid
    }

    static func currency(_ code: String) -> Currency {
        guard let currency = Currency(code) else { preconditionFailure(code) }
        return currency
    }

    static let customers: [(name: String?, email: String?, key: String)] = [
        ("李娜", "lina@example.com", "9c2f1b7e-5a40-4a4e-8d0c-6f1f3c1f0a11"),
        ("Ayşe Öztürk", "ayse.ozturk@example.com", "2b1f4c1e-0c3e-4f6a-9a57-0d9f0a5c7e22"),
        (nil, nil, "7d6f0c55-1d1e-4c53-8f9a-2e4b1f8f3c33"),
        ("İbrahim Çelik", "ibrahim@example.com", "5e0a8b1d-9d3c-4f1e-8b7a-1c2d3e4f5a44"),
        ("Tom Müller-Lüdenscheidt", "tom.mueller-luedenscheidt@example.com", "0f1e2d3c-4b5a-4978-8695-a4b3c2d1e055"),
        (nil, nil, "apple:2000000712345678"),
        (nil, "jane@example.com", "c0ffee00-cafe-4bad-8f00-d00dfeedfa66"),
    ]
}
