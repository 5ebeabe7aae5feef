import HTTPTypes
import RouterTesting
import Storage
import Testing

@testable import API
@testable import Desk
@testable import HTTP
@testable import Web
@testable import Words

@Suite("The language of a page")
struct LanguageChoiceTests {
    @Test(
        "a browser gets what it asks for most, of what there is",
        arguments: [
            (nil, .english), ("", .english), ("de", .english), ("*", .english), ("en-GB", .english),
            ("zh", .chinese), ("zh-CN,zh;q=0.9,en;q=0.8", .chinese), ("ZH-hans-SG", .chinese), ("zh-SG", .chinese),
            ("zh-TW", .english), ("zh-Hant-CN, en;q=0.1", .english), ("zh-TW, zh;q=0.8, en;q=0.5", .chinese),
            ("tr", .turkish), ("tr-TR", .turkish), ("de, tr;q=0.4", .turkish), ("en;q=0.4 , tr ; q=0.5", .turkish),
            ("tr;q=0, zh;q=0.1", .chinese), ("tr;q=0", .english), ("tr;q=x, zh;q=0.001", .chinese),
            ("en, tr", .english), ("tr, en", .turkish), (",,;q=1,-,tr", .turkish), ("trx", .english),
        ] as [(String?, Language)]
    )
    func browsers(_ header: String?, _ language: Language) {
        #expect(Language(accepting: header) == language)
    }

    @Test("pages before sign-in are as the browser asks, and say so")
    func entrance() async throws {
        try await TestSite.run { site in
            try await site.app.test(.router) { client async throws in
                let browser = Browser(client)
                for (asked, tag) in [("zh-CN", "zh-Hans"), ("tr", "tr"), ("fr", "en")] {
                    let page = try await browser.get("/dashboard/sign-in", headers: [.acceptLanguage: asked])
                    #expect(page.text.contains("<html lang=\"\(tag)\""))
                    #expect(page.headers[.contentLanguage] == tag)
                    #expect(page.headers[.vary]?.contains("Accept-Language") ?? false)
                    let error = try await browser.get(
                        "/nowhere",
                        headers: [.acceptLanguage: asked, .accept: "text/html"]
                    )
                    #expect(error.status == .notFound)
                    #expect(error.text.contains("<html lang=\"\(tag)\""))
                }
            }
        }
    }
}
