import Billing
import Foundation
import Operations
import Storage

@testable import Desk
@testable import HTTP
@testable import Words

extension MFAPage {
    static let sample = MFAPage(csrfToken: "c3RhYmxlLXRva2Vu", strings: Strings(.english), next: "/dashboard/orders")
    static let wrongSample = MFAPage(
        csrfToken: "c3RhYmxlLXRva2Vu",
        strings: Strings(.chinese),
        problem: .wrong,
        requestID: Sample.requestID
    )
}

extension WelcomePage {
    static let sample = WelcomePage(
        link: Link(
            action: "/dashboard/welcome/5f3a",
            csrfToken: "c3RhYmxlLXRva2Vu",
            email: "mei@example.com",
            name: "Mei <Tanaka>",
            isInvitation: true
        ),
        strings: Strings(.english)
    )
    static let backSample = WelcomePage(
        link: Link(
            action: "/dashboard/welcome/5f3a",
            csrfToken: "c3RhYmxlLXRva2Vu",
            email: "mei@example.com",
            name: "Mei",
            isInvitation: false,
            leavesKeys: Strings(.turkish).keysLeave(count: 2)
        ),
        strings: Strings(.turkish)
    )
    static let overSample = WelcomePage(link: nil, strings: Strings(.turkish))
}

extension KeysPage {
    static let sample = KeysPage(
        tokens: [
            listed(1, "Nightly <export>", ["orders:read", "metrics:read"], used: -60),
            listed(2, "Everything", nil, ends: 86_400),
            listed(3, "Old", nil, used: -900_000, ends: -86_400),
            listed(4, "Stolen", ["orders:write"], revoked: -3_600),
        ],
        of: .everybody,
        viewer: Sample.viewer,
        now: Sample.now
    )
    static let emptySample = KeysPage(tokens: [], of: .own, viewer: Sample.analyst, now: Sample.now)

    private static func listed(
        _ number: Int,
        _ name: String,
        _ scopes: [String]?,
        used: TimeInterval? = nil,
        ends: TimeInterval? = nil,
        revoked: TimeInterval? = nil
    ) -> ListedToken {
        ListedToken(
            id: StaffToken.ID(Sample.uuid(number)),
            staff: Staff.ID(Sample.uuid(9)),
            email: "lin@example.com",
            name: name,
            scopes: scopes,
            createdAt: Sample.now.addingTimeInterval(-1_000_000),
            lastUsedAt: used.map(Sample.now.addingTimeInterval),
            expiresAt: ends.map(Sample.now.addingTimeInterval),
            revokedAt: revoked.map(Sample.now.addingTimeInterval)
        )
    }
}

extension AccountPage {
    static let sample = AccountPage(
        email: "lin@example.com",
        apps: nil,
        sessions: [
            listed(1, "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "192.0.2.1"),
            listed(2, "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) Safari/604.1", "2001:db8::1"),
            listed(3, nil, nil),
        ],
        current: StaffSession.ID(Sample.uuid(1)),
        twoFactor: .on(since: Sample.now.addingTimeInterval(-86_400), recoveryCodesLeft: 1),
        keys: 2,
        viewer: Sample.viewer,
        now: Sample.now
    )

    static let refusedSample = AccountPage(
        email: "olga@example.com",
        apps: ["Kombin"],
        sessions: [listed(1, "curl/8.0", "192.0.2.1")],
        current: StaffSession.ID(Sample.uuid(1)),
        twoFactor: .off,
        problems: ["old": "Incorrect password."],
        viewer: Sample.analyst,
        now: Sample.now
    )

    private static func listed(
        _ number: Int,
        _ agent: Personal<String>?,
        _ address: Personal<String>?
    ) -> ListedSession {
        ListedSession(
            id: StaffSession.ID(Sample.uuid(number)),
            createdAt: Sample.now.addingTimeInterval(-86_400),
            lastSeenAt: Sample.now.addingTimeInterval(-60 * Double(number)),
            address: address,
            userAgent: agent
        )
    }
}

extension TwoFactorPage {
    static let sample = TwoFactorPage(
        email: "lin@example.com",
        setting: .begun(TOTP(secret: Array("12345678901234567890".utf8))),
        viewer: Sample.viewer
    )
}

extension RecoveryCodesPage {
    static let sample = RecoveryCodesPage(codes: ["abcd-efgh-ijkl-mnop-qrst-uvwx"], viewer: Sample.viewer)
}

extension AuditIndexPage {
    static let sample = AuditIndexPage(
        list: ListPage(rows: [AuditShowPage.row(1), AuditShowPage.row(2)], total: .exact(2)),
        filter: {
            var filter = AuditFilter()
            (filter.actor, filter.action) = ("lin@example.com", "staff")
            return filter
        }(),
        viewer: Sample.viewer,
        now: Sample.now
    )
}

extension AuditShowPage {
    static let sample = AuditShowPage(
        row: row(1),
        from: "/dashboard/audit?action=staff",
        viewer: Sample.viewer,
        now: Sample.now
    )

    fileprivate static func row(_ number: Int) -> AuditRow {
        AuditRow(
            id: Sample.uuid(number),
            at: Sample.now.addingTimeInterval(-3_600),
            app: number == 2 ? "readmigo" : nil,
            actor: "lin@example.com",
            role: .admin,
            action: "staff.role",
            objectType: "staff",
            objectID: Sample.uuid(9).uuidString.lowercased(),
            before: #"{"role":"support"}"#,
            after: #"{"role":"admin","apps":["kombin","<b>"],"on":true,"n":1.50}"#,
            reason: "other: Mei leads the desk now",
            requestID: "7f3a9c1e5b2d4a60",
            address: "192.0.2.1",
            number: 1_284,
            hash: [UInt8](repeating: 0xAB, count: 32)
        )
    }
}

extension StaffIndexPage {
    static let sample = StaffIndexPage(
        rows: [
            StaffShowPage.row(1, .admin),
            StaffShowPage.row(2, .support, isInvited: true),
            StaffShowPage.row(3, .analyst, disabledAt: Sample.now),
        ],
        viewer: Sample.viewer,
        now: Sample.now
    )
}

extension StaffShowPage {
    static let sample = StaffShowPage(row: row(2, .support), isSelf: false, viewer: Sample.viewer, now: Sample.now)

    fileprivate static func row(
        _ number: Int,
        _ role: StaffRole,
        isInvited: Bool = false,
        disabledAt: Date? = nil
    ) -> StaffRow {
        StaffRow(
            id: Staff.ID(Sample.uuid(number)),
            email: "\(role.rawValue)@example.com",
            name: "Mei <Tanaka>",
            role: role,
            disabledAt: disabledAt,
            isInvited: isInvited,
            linkEndsAt: isInvited ? Sample.now.addingTimeInterval(86_400) : nil,
            seesAllApps: role != .support,
            apps: role == .support ? ["kombin", "readmigo"] : [],
            hasTwoFactor: role == .admin,
            sessions: number,
            lastSeenAt: isInvited ? nil : Sample.now.addingTimeInterval(-600),
            tokens: 1,
            createdAt: Sample.now.addingTimeInterval(-30 * 86_400)
        )
    }
}

extension StaffLinkPage {
    static let sample = StaffLinkPage(
        email: "mei@example.com",
        staff: Staff.ID(Sample.uuid(2)),
        link: "https://office.example.com/dashboard/welcome/5f3a",
        end: Sample.now.addingTimeInterval(72 * 3600),
        viewer: Sample.viewer(language: .turkish)
    )
}
