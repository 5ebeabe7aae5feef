import APITypes
import Billing
import Foundation
import HTTPTypes
import NIOCore
import NIOFoundationCompat
import Operations
import RouterTesting
import Storage
import Testing

@testable import Desk
@testable import HTTP
@testable import Words

@Suite("What the customer API refuses, in customers' languages") struct ProblemTests {
    private static let languages = [Language.english, .chinese, .turkish].map(Strings.init)

    @Test("every code has a sentence in each language, and the description lists it")
    func codes() {
        #expect(ProblemCode.allCases.map(\.rawValue) == Vocabulary.problemCodes)
        for code in ProblemCode.allCases {
            let sentences = Self.languages.map { $0.sentence(of: code).description }
            #expect(Set(sentences).count == 3, "\(code): \(sentences)")
            #expect(sentences.allSatisfy { !$0.isEmpty })
        }
        for code in WebError.Code.allCases {
            #expect(Vocabulary.problemCodes.contains(ErrorTable.reason(of: code).rawValue))
            #expect(Set(Self.languages.map { $0.title(of: code).description }).count == 3, "\(code)")
        }
    }

    @Test("every kind of mistake in a field has a code that the description lists, and a sentence in each language")
    func fields() {
        let kinds: [FieldProblem.Kind] = [
            .missing, .unknownChoice, .unknownName, .tooShort(2), .tooLong(2), .notANumber, .notADate, .notPositive,
            .tooSmall("1"), .tooLarge("2"), .notConfirmed, .taken, .empty, .onlyOne, .guessable, .lineTooLong(2),
            .unknownColumn("plan_code"), .repeatedColumn("email"), .noCustomerColumn,
            .shortenedNumber("2.0E+15", line: 2),
            .noPeriod, .periodOver, .tooMany(3), .wrongType, .unfit, .repeated, .unknownParameter(known: ["app"]), .nul,
            .tooLongAgo(days: 40), .inFuture, .rule(.changedSince), .other("Only English has this."),
        ]
        for kind in kinds {
            #expect(Vocabulary.fieldProblemCodes.contains(kind.code), "\(kind)")
            let sentences = Self.languages.map { $0.reason(of: FieldProblem("field", kind)) }
            #expect(Set(sentences).count == 3, "\(kind): \(sentences)")
        }
        #expect(Set(kinds.map(\.code)) == Set(Vocabulary.fieldProblemCodes))
    }

    @Test("the documents' own wordings are told")
    func wordings() {
        let (chinese, turkish) = (Strings(.chinese), Strings(.turkish))
        #expect(chinese.sentence(of: .tokenExpired).description == "登录已过期，请重新登录")
        #expect(chinese.sentence(of: .tokenInvalid).description == "登录信息无效，请重新登录")
        #expect(chinese.sentence(of: .verificationFailed).description == "支付验证失败，请联系客服")
        #expect(chinese.sentence(of: .productNotFound).description == "未找到订阅产品")
        #expect(turkish.sentence(of: .productNotFound).description == "Ürün bulunamadı")
        #expect(chinese.problemsOauthFailedAt(provider: "Apple", reason: "x") == "登录失败：Apple - x")
        #expect(turkish.sentence(of: .receiptValidationFailed).description == "Abonelik doğrulanamadı")
        #expect(
            turkish.tierRequired(feature: "Tema özelleştirme", plan: "Premium")
                == "Tema özelleştirme özelliği Premium üyelik gerektirir"
        )
        var clothing = CatalogFeature(feature: Feature(code: "clothing"), name: "Clothing")
        clothing.limitReached = LocalizedText(["tr": "Ücretsiz kullanımda en fazla {limit} kıyafet ekleyebilirsiniz"])
        #expect(
            turkish.limitReached(clothing, 3, in: .lifetime)
                == "Ücretsiz kullanımda en fazla 3 kıyafet ekleyebilirsiniz"
        )
    }

    @Test(
        "the language is the one that is asked for most, English where none is ours, and junk is no error",
        arguments: [
            ("zh-CN", "zh-Hans"), ("zh", "zh-Hans"), ("zh-Hans-CN;q=0.9, en;q=0.8", "zh-Hans"), ("tr-TR", "tr"),
            ("en;q=0.5, tr;q=0.7", "tr"), ("tr;q=0, *", "en"), ("*", "en"), ("de, fr;q=0.9", "en"), ("zh-TW", "en"),
            ("", "en"), (";;;,,,q=", "en"), ("tr;q=nan", "en"), ("tr;q=-1", "en"), ("tr;q=1e400", "tr"),
            (String(repeating: "x,", count: 2_000), "en"),
        ]
    )
    func language(_ asked: String, _ expected: String) async throws {
        try await TestSite.run { site in
            let answer = try await Self.ask("/entitlements", site, [.acceptLanguage: asked])
            #expect(answer.status == .unauthorized)
            #expect(answer.headers[.contentLanguage] == expected)
            #expect(answer.headers[.vary]?.contains("Accept-Language") == true)
        }
    }

    @Test("a token that is over says so, and is told from one that is none")
    func tokens() async throws {
        try await TestSite.run { site in
            func code(_ token: String) async throws -> String? {
                let answer = try await Self.ask(
                    "/entitlements",
                    site,
                    [.authorization: "Bearer \(token)", .acceptLanguage: "zh-CN"]
                )
                #expect(answer.status == .unauthorized)
                let problem = try Self.object(answer)
                return problem["code"] as? String
            }
            let old = Base64URL.text(of: Array("{\"exp\":1}".utf8))
            let young = Base64URL.text(of: Array("{\"exp\":99999999999}".utf8))
            #expect(try await code("a.\(old).c") == "tokenExpired")
            for text in ["a.\(young).c", "a.b.c", "x", "..", "a.\(Base64URL.text(of: Array("{}".utf8))).c"] {
                #expect(try await code(text) == "tokenInvalid", "\(text)")
            }
            let anonymous = try Self.object(try await Self.ask("/entitlements", site, [.acceptLanguage: "zh-CN"]))
            #expect(anonymous["code"] as? String == "unauthenticated")
            #expect(anonymous["detail"] as? String == "请先登录。")
            #expect(anonymous["title"] as? String == "未登录")
        }
    }

    @Test("fields have a code and a reason in the language; programs of staff are told in English and without one")
    func reasons() async throws {
        try await TestSite.run { site in
            let path = "/api/v1/subscription/products?app=readmigo&page=1"
            let problem = try Self.object(try await Self.ask(path, site, [.acceptLanguage: "tr"]))
            #expect(problem["code"] as? String == "invalid")
            #expect(problem["detail"] as? String == "İstek geçerli değil.")
            let error = try #require((problem["errors"] as? [[String: Any]])?.first)
            #expect(error["code"] as? String == "unknownParameter")
            #expect((error["reason"] as? String)?.hasPrefix("Burada böyle bir parametre yok.") == true)
            let admin = try await Self.ask("/admin/orders", site, [.acceptLanguage: "tr"])
            #expect(admin.headers[.contentLanguage] == nil)
            #expect(try Self.object(admin)["code"] == nil)
            #expect(try Self.object(admin)["title"] as? String == "Not authenticated")
        }
    }

    private static func ask(_ path: String, _ site: TestSite, _ headers: HTTPFields) async throws -> TestResponse {
        try await site.app.test(.router) { client in
            try await client.executeRequest(uri: path, method: .get, headers: headers, body: nil)
        }
    }

    private static func object(_ answer: TestResponse) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(buffer: answer.body)) as? [String: Any])
    }
}
