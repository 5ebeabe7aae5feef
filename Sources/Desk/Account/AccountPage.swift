import Billing
package import Foundation
import HTML
package import HTTP
package import Operations
package import Storage
package import Words

/// One's own account: `/dashboard/account`.
package struct AccountPage: Sendable {
    let frame: DashboardFrame
    package var strings: Strings { frame.strings }
    let email: String
    let role: String
    let apps: String
    /// Above everything when the form was refused.
    let trouble: String?
    let oldProblem: String?
    let newProblem: String?
    let isTwoFactorOn: Bool
    let twoFactor: String
    let sessions: [Session]
    let hasOthers: Bool
    let keys: String
    /// The question whether to leave the keys as they are when the password changes; nil without keys.
    let leavesKeys: String?

    struct Session: Sendable {
        var id: String
        var device: String
        var address: String
        var lastSeen: DateText
        var created: DateText
        var isCurrent: Bool
        var label: String
    }

    /// Everybody may read what is kept of themselves.
    private struct Owner: PersonalDataReader {
        var seesPersonalData: Bool { true }
    }

    /// - Parameters:
    ///   - apps: the names of those the person may see; nil is all.
    ///   - sessions: the viewer's own.
    ///   - problems: by the field's name, `old` and `password`.
    package init(
        email: String,
        apps: [String]?,
        sessions: [ListedSession],
        current: StaffSession.ID,
        twoFactor: TwoFactorSetting,
        keys: Int = 0,
        problems: [String: String] = [:],
        trouble: String? = nil,
        viewer: Viewer,
        now: Date
    ) {
        frame = DashboardFrame(viewer, section: .account, path: DashboardPath.account, now: now)
        self.email = email
        let strings = viewer.strings
        role = strings.name(of: viewer.role).description
        self.apps = apps?.joined(separator: ", ") ?? strings.accountAllApps.description
        (oldProblem, newProblem) = (problems["old"], problems["password"])
        self.trouble = trouble ?? (problems.isEmpty ? nil : strings.accountPasswordUnchanged.description)
        switch twoFactor {
        case .off: (isTwoFactorOn, self.twoFactor) = (false, strings.accountFactorOff.description)
        case .begun: (isTwoFactorOn, self.twoFactor) = (false, strings.accountFactorBegun.description)
        case .on(let since, let left):
            isTwoFactorOn = true
            self.twoFactor = strings.accountFactorOn(
                count: left,
                day: DateText.day(since, in: viewer.zone, viewer.strings)
            )
        }
        self.sessions = sessions.map { listed in
            let device = DeviceText(listed.userAgent?.shown(to: Owner()), strings).text
            return Session(
                id: listed.id.description,
                device: device,
                address: listed.address?.shown(to: Owner()) ?? strings.accountUnknownAddress.description,
                lastSeen: DateText(listed.lastSeenAt, in: viewer.zone, viewer.strings),
                created: DateText(listed.createdAt, in: viewer.zone, viewer.strings),
                isCurrent: listed.id == current,
                label: strings.accountEndSession(device: device)
            )
        }
        self.keys = strings.keysActive(count: keys)
        leavesKeys = keys > 0 ? strings.keysLeave(count: keys) : nil
        hasOthers = sessions.contains { $0.id != current }
    }
}

/// Setting up the second factor: `/dashboard/account/two-factor`.
package struct TwoFactorPage: Sendable {
    let frame: DashboardFrame
    package var strings: Strings { frame.strings }
    let isOff: Bool
    let begun: Begun?
    let isOn: Bool
    let problem: String?

    struct Begun: Sendable {
        var secret: String
        var drawing: TrustedHTML?
    }

    package init(
        email: String,
        setting: TwoFactorSetting,
        problem: String? = nil,
        viewer: Viewer
    ) {
        frame = DashboardFrame(viewer, section: .account, path: DashboardPath.twoFactor)
        self.problem = problem
        switch setting {
        case .off: (isOff, begun, isOn) = (true, nil, false)
        case .begun(let totp):
            let drawing = QRCode.svg(of: totp.address(for: email), label: viewer.strings.accountFactorQr.description)
            let groups = stride(from: 0, to: totp.secretText.count, by: 4).map {
                String(totp.secretText.dropFirst($0).prefix(4))
            }
            begun = Begun(secret: groups.joined(separator: " "), drawing: drawing)
            (isOff, isOn) = (false, false)
        case .on: (isOff, begun, isOn) = (false, nil, true)
        }
    }
}

/// The recovery codes, this once.
package struct RecoveryCodesPage: Sendable {
    let frame: DashboardFrame
    package var strings: Strings { frame.strings }
    let codes: [String]

    package init(codes: [String], viewer: Viewer) {
        frame = DashboardFrame(viewer, section: .account, path: DashboardPath.twoFactor)
        self.codes = codes
    }
}
