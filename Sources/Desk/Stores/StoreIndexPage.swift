import Billing
package import Foundation
package import HTTP
package import Operations
package import Storage
package import Words

/// The connections of an app to its stores: `/dashboard/stores`.
package struct StoreIndexPage: Sendable {
    let frame: DashboardFrame
    package var strings: Strings { frame.strings }
    let actions: [PageAction]
    let sections: [Section]
    /// The stores that the app has no account at.
    let unconnected: String?
    /// True if this person may upload keys and ask for test notifications.
    let mayConnect: Bool
    let caption: String
    /// Apple's messages about accounts that people sign in with, newest first.
    let accounts: [Account]
    let accountsCaption: String
    /// True if more is kept than is listed.
    let isCut: Bool

    /// As many are listed.
    package static let accountLimit = 20

    struct Account: Sendable {
        let received: DateText
        let happened: DateText?
        let type: String
        let subject: String
        /// nil also for who may not see it.
        let email: String?
        let clientID: String
    }

    /// One store.
    struct Section: Sendable {
        let id: String
        let name: String
        let region: String
        let testsRegion: String
        let isSimulated: Bool
        let problem: String?
        let settings: [Setting]
        let environments: [Environment]
        /// True if the store sends notifications about this app.
        let takesNotifications: Bool
        let sendsTests: Bool
        let canBeAsked: Bool
        let testPath: String
    }

    /// One thing that is set, or not.
    struct Setting: Sendable {
        let name: String
        let status: StatusText
        let value: String?
        /// Its purpose, or its source.
        let text: String
        /// When it was uploaded, or ends, as the text says.
        var uploaded: DateText?
        var action: PageAction?
        var removal: PageAction?
    }

    /// The last notification and the last test of an environment.
    struct Environment: Sendable {
        let name: StaticString
        let raw: String
        let isSandbox: Bool
        let received: DateText?
        let test: Test?
        /// A form's one-time key.
        let key: String
    }

    struct Test: Sendable {
        let requested: DateText
        let status: StatusText
        let href: String
        let reason: String?
    }

    /// - Parameters:
    ///   - issuer: nil for an app without a login of its own.
    ///   - key: the beginning of the forms' one-time keys.
    package init(
        connections: [StoreConnection],
        issuer: IssuerConnection? = nil,
        accounts told: [StoredAccountNotification],
        key: String,
        viewer: Viewer,
        now: Date
    ) {
        let strings = viewer.strings
        frame = DashboardFrame(viewer, section: .stores, path: DashboardPath.stores, now: now)
        let lookup = PageAction(label: strings.purchasesTitle.description, href: DashboardPath.appleOrders)
        let keys = PageAction(label: strings.appKeysTitle.description, href: DashboardPath.appKeys)
        actions =
            (connections.contains { $0.store == .apple } ? [lookup] : [])
            + (viewer.may(.connectStores) ? [keys] : [])
        sections = connections.map { Section($0, key: key, viewer) } + (issuer.map { [Section($0, viewer)] } ?? [])
        let others = Store.known.filter { store in !connections.contains { $0.store == store } }
        unconnected =
            others.isEmpty
            ? nil : strings.connectionsUnconnected(stores: strings.list(others.map { StoreText.name(of: $0, strings) }))
        mayConnect = viewer.may(.connectStores)
        caption = strings.connectionsCaption(zone: viewer.zone.label)
        accounts = told.map { Account($0, viewer) }
        accountsCaption = strings.connectionsAccountsCaption(zone: viewer.zone.label)
        isCut = told.count >= Self.accountLimit
    }
}

extension StoreIndexPage.Account {
    fileprivate init(_ told: StoredAccountNotification, _ viewer: Viewer) {
        let (strings, zone) = (viewer.strings, viewer.zone)
        received = DateText(told.receivedAt, in: zone, strings, showsSeconds: true)
        happened = told.happenedAt.map { DateText($0, in: zone, strings, showsSeconds: true) }
        type = StoreConnectionText.accountEvent(told.type, strings)
        subject = told.subject
        email = told.email?.shown(to: viewer)
        clientID = told.clientID
    }
}

extension StoreIndexPage.Section {
    fileprivate init(_ connection: StoreConnection, key: String, _ viewer: Viewer) {
        let strings = viewer.strings
        id = connection.store.rawValue
        name = StoreText.name(of: connection.store, strings)
        region = strings.connectionsSettingsOf(store: name)
        testsRegion = strings.connectionsTestsOf(store: name)
        isSimulated = connection.isSimulated
        problem = connection.problem
        settings = Self.settings(of: connection, viewer)
        environments = StoreEnvironment.allCases.map { environment in
            StoreIndexPage.Environment(connection, environment, key: "\(key)-\(environment.rawValue)", viewer)
        }
        takesNotifications = connection.takesNotifications
        sendsTests = connection.sendsTests
        canBeAsked = connection.canBeAsked
        testPath = DashboardPath.tests(of: connection.store)
    }

    private static func settings(of connection: StoreConnection, _ viewer: Viewer) -> [StoreIndexPage.Setting] {
        let strings = viewer.strings
        var settings = [
            StoreIndexPage.Setting(
                name: strings.connectionsIdentifier.description,
                status: StoreConnectionText.status(of: .catalog, isNeeded: true, strings),
                value: connection.identifier,
                text: strings.connectionsFromCatalog.description
            )
        ]
        if connection.store == .apple {
            let number = connection.appAppleID.map { String($0) }
            settings.append(
                StoreIndexPage.Setting(
                    name: strings.connectionsAppleId.description,
                    status: StoreConnectionText.status(
                        of: number == nil ? .missing : .catalog,
                        isNeeded: !connection.isSimulated,
                        strings
                    ),
                    value: number,
                    text: number == nil
                        ? strings.connectionsAppleIdMissing.description : strings.connectionsFromCatalog.description
                )
            )
        }
        return settings + connection.keys.map { StoreIndexPage.Setting($0, of: connection, viewer) }
            + connection.certificates.map { StoreIndexPage.Setting($0, viewer) }
    }
}

extension StoreIndexPage.Setting {
    fileprivate init(_ key: StoreConnection.Key, of connection: StoreConnection, _ viewer: Viewer) {
        let strings = viewer.strings
        name = StoreConnectionText.name(of: key.kind, at: connection.store, strings).description
        status = StoreConnectionText.status(of: key.origin, isNeeded: key.isNeeded, strings)
        value = key.label
        let mayUpload = viewer.may(.connectStores)
        let path = DashboardPath.key(key.kind, of: connection.store)
        switch key.origin {
        case .catalog: text = strings.connectionsFromCatalog.description
        case .uploaded(let moment):
            text = strings.connectionsFromUpload.description
            uploaded = DateText(moment, in: viewer.zone, strings)
        case .unreadable: text = strings.connectionsUnreadableText.description
        case .missing: text = StoreConnectionText.purpose(of: key.kind, at: connection.store, strings).description
        }
        guard mayUpload else { return }
        if key.isUploaded {
            action = PageAction(label: strings.connectionsReplace.description, href: path)
            removal = PageAction(
                label: strings.connectionsRemove.description,
                href: DashboardPath.keyRemoval(key.kind, of: connection.store)
            )
        } else if key.origin == .missing {
            action = PageAction(label: strings.connectionsUpload.description, href: path)
        }
    }
}

extension StoreIndexPage.Setting {
    fileprivate init(_ certificate: StoreCertificate, _ viewer: Viewer) {
        let strings = viewer.strings
        name = StoreConnectionText.label(of: certificate.name, strings)
        status = StatusText(strings.connectionsSet, strings.connectionsSet, "completed")
        value = certificate.serial
        text = strings.connectionsValidUntil.description
        uploaded = DateText(certificate.endsAt, in: viewer.zone, strings)
    }
}

extension StoreIndexPage.Environment {
    fileprivate init(
        _ connection: StoreConnection,
        _ environment: StoreEnvironment,
        key: String,
        _ viewer: Viewer
    ) {
        let strings = viewer.strings
        name = StoreText.name(of: environment, strings)
        raw = environment.rawValue
        isSandbox = environment == .sandbox
        received = connection.lastReceived[environment].map {
            DateText($0, in: viewer.zone, strings, showsSeconds: true)
        }
        test = connection.tests[environment].map { test in
            StoreIndexPage.Test(
                requested: DateText(test.requestedAt, in: viewer.zone, strings, showsSeconds: true),
                status: StoreConnectionText.status(of: test.result, strings),
                href: DashboardPath.test(of: connection.store, in: environment),
                reason: test.reason
            )
        }
        self.key = key
    }
}
