import HTML
import HTTPTypes
import Operations
import RouterTesting
import Storage
import Testing

@testable import API
@testable import Desk
@testable import HTTP
@testable import Web
@testable import Words

@Suite("A demo that is being filled") struct FillingTests {
    @Test(
        "pages say how far it was when they were loaded, in every language",
        arguments: [(Language.english, "41%"), (.turkish, "%41"), (.chinese, "41%")]
    )
    func pages(_ language: Language, _ percent: String) {
        let entrance = SignInPage(strings: Strings(language), csrfToken: "t", filling: 41).html()
        #expect(entrance.contains(percent))
        var viewer = Sample.viewer(in: language)
        viewer.filling = 41
        let inside = ErrorPage(
            ErrorText(status: 404, requestID: "r", Strings(language)),
            viewer: viewer,
            path: "/dashboard"
        ).html()
        #expect(inside.contains(percent))
    }

    @Test("whoever comes while it fills can sign in, and reads how far it is; afterwards nothing is said")
    func signsIn() async throws {
        try await TestSite.run { site in
            try await site.addStaff(.admin)
            site.backOffice.filling.reach(0.41)
            try await site.app.test(.router) { client async throws in
                let browser = Browser(client)
                #expect(
                    try await browser.get("/dashboard/sign-in").text.contains("filling, 41% when this page was loaded")
                )
                #expect(try await browser.signIn("admin@example.com").status == .seeOther)
                site.backOffice.filling.reach(0.6)
                #expect(
                    try await browser.get("/dashboard/orders").text.contains("filling, 60% when this page was loaded")
                )
                site.backOffice.filling.end()
                #expect(try await !browser.get("/dashboard/orders").text.contains("filling"))
                #expect(try await !Browser(client).get("/dashboard/sign-in").text.contains("filling"))
            }
        }
    }
}
