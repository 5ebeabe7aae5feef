import HTML
import Testing
import Web

@Suite struct SnapshotTests {
    @Test("every page looks as it was recorded", arguments: Picture.all)
    func page(_ picture: Picture) throws {
        let page: any HTMLPage = picture.page
        try expectSnapshot(page, named: picture.name)
    }

    struct Picture: Sendable, CustomTestStringConvertible {
        let name: String
        let page: any HTMLPage & Sendable

        var testDescription: String { name }

        static let all = [
            Picture(name: "orders", page: OrderIndexPage.sample),
            Picture(name: "orders-empty", page: OrderIndexPage.emptySample),
            Picture(name: "orders-no-match", page: OrderIndexPage.noMatchSample),
            Picture(name: "order", page: OrderShowPage.sample),
            Picture(name: "order-for-analysts", page: OrderShowPage.analystSample),
            Picture(name: "notifications", page: NotificationIndexPage.sample),
            Picture(name: "notifications-none-failed", page: NotificationIndexPage.emptySample),
            Picture(name: "notification", page: NotificationShowPage.sample),
            Picture(name: "sign-in", page: SignInPage.sample),
            Picture(name: "sign-in-refused", page: SignInPage.wrongSample),
            Picture(name: "error", page: ErrorPage.sample),
            Picture(name: "error-without-frame", page: BareErrorPage.sample),
        ]
    }
}
