import Billing
import HTTP
import Operations
import Storage
import Words

extension StoreIndexPage.Section {
    /// Makes the section on the tokens of the app's own login.
    init(_ connection: IssuerConnection, _ viewer: Viewer) {
        let strings = viewer.strings
        id = "login"
        name = strings.connectionsLogin.description
        region = strings.connectionsLoginSettings.description
        testsRegion = ""
        isSimulated = false
        problem = nil
        settings =
            [
                StoreIndexPage.Setting(strings.connectionsLoginIssuer, connection.issuer, strings),
                StoreIndexPage.Setting(strings.connectionsLoginAudience, connection.audience, strings),
            ] + Self.keys(of: connection, viewer)
        environments = []
        takesNotifications = false
        sendsTests = false
        canBeAsked = false
        testPath = ""
    }

    private static func keys(of connection: IssuerConnection, _ viewer: Viewer) -> [StoreIndexPage.Setting] {
        let strings = viewer.strings
        let upload = viewer.may(.connectStores)
        switch connection.keys {
        case .published(let url): return [StoreIndexPage.Setting(strings.connectionsLoginKeySet, url, strings)]
        case .named(let isReadable):
            let setting = StoreIndexPage.Setting(strings.connectionsLoginSecret, nil, strings, isReadable: isReadable)
            return [setting]
        case .uploaded(let uploads) where uploads.isEmpty:
            let missing = StoreIndexPage.Setting(
                name: strings.connectionsLoginSecret.description,
                status: StoreConnectionText.status(of: .missing, isNeeded: true, strings),
                value: nil,
                text: strings.connectionsLoginPurpose.description,
                action: upload
                    ? PageAction(label: strings.connectionsUpload.description, href: DashboardPath.issuerSecrets) : nil
            )
            return [missing]
        case .uploaded(let uploads):
            let second = PageAction(
                label: strings.connectionsLoginSecond.description,
                href: DashboardPath.issuerSecrets
            )
            return uploads.map { secret in
                var setting = StoreIndexPage.Setting(secret, viewer)
                if upload, uploads.count < TokenIssuer.mostSecrets { setting.action = second }
                return setting
            }
        }
    }
}

extension StoreIndexPage.Setting {
    /// Makes a setting of the app's login from its catalogue.
    fileprivate init(_ name: StaticString, _ value: String?, _ strings: Strings, isReadable: Bool = true) {
        self.init(
            name: name.description,
            status: StoreConnectionText.status(of: isReadable ? .catalog : .unreadable, isNeeded: true, strings),
            value: value,
            text: isReadable
                ? strings.connectionsFromCatalog.description : strings.connectionsUnreadableText.description
        )
    }

    fileprivate init(_ secret: IssuerConnection.Upload, _ viewer: Viewer) {
        let strings = viewer.strings
        self.init(
            name: strings.connectionsLoginSecret.description,
            status: StoreConnectionText.status(
                of: secret.isReadable ? .uploaded(at: secret.uploadedAt) : .unreadable,
                isNeeded: true,
                strings
            ),
            value: nil,
            text: secret.isReadable
                ? strings.connectionsFromUpload.description : strings.connectionsUnreadableText.description,
            uploaded: secret.isReadable ? DateText(secret.uploadedAt, in: viewer.zone, strings) : nil,
            removal: viewer.may(.connectStores)
                ? PageAction(
                    label: strings.connectionsLoginRemove.description,
                    href: DashboardPath.removal(of: secret.id)
                ) : nil
        )
    }
}
