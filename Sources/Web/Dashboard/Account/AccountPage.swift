import Billing
package import Foundation
import HTML
package import Operations
package import Storage

/// One's own account: `/dashboard/account`.
package struct AccountPage: Sendable {
    let frame: DashboardFrame
    package var words: Words { frame.words }
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
        let words = viewer.words
        role = words.name(of: viewer.role).description
        self.apps = apps?.joined(separator: ", ") ?? words.accountAllApps.description
        (oldProblem, newProblem) = (problems["old"], problems["password"])
        self.trouble = trouble ?? (problems.isEmpty ? nil : words.accountPasswordUnchanged.description)
        switch twoFactor {
        case .off: (isTwoFactorOn, self.twoFactor) = (false, words.accountFactorOff.description)
        case .begun: (isTwoFactorOn, self.twoFactor) = (false, words.accountFactorBegun.description)
        case .on(let since, let left):
            isTwoFactorOn = true
            self.twoFactor = words.accountFactorOn(count: left, day: DateText.day(since, in: viewer.zone, viewer.words))
        }
        self.sessions = sessions.map { listed in
            let device = DeviceText(listed.userAgent?.shown(to: Owner()), words).text
            return Session(
                id: listed.id.description,
                device: device,
                address: listed.address?.shown(to: Owner()) ?? words.accountUnknownAddress.description,
                lastSeen: DateText(listed.lastSeenAt, in: viewer.zone, viewer.words),
                created: DateText(listed.createdAt, in: viewer.zone, viewer.words),
                isCurrent: listed.id == current,
                label: words.accountEndSession(device: device)
            )
        }
        self.keys = words.keysStanding(count: keys)
        leavesKeys = keys > 0 ? words.keysLeave(count: keys) : nil
        hasOthers = sessions.contains { $0.id != current }
    }
}

/// Setting up the second factor: `/dashboard/account/two-factor`.
package struct TwoFactorPage: Sendable {
    let frame: DashboardFrame
    package var words: Words { frame.words }
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
            let drawing = QRCode.svg(of: totp.address(for: email), label: viewer.words.accountFactorQr.description)
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
    package var words: Words { frame.words }
    let codes: [String]

    package init(codes: [String], viewer: Viewer) {
        frame = DashboardFrame(viewer, section: .account, path: DashboardPath.twoFactor)
        self.codes = codes
    }
}
