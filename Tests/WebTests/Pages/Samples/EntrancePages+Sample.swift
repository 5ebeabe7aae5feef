import Desk
import Storage
import Words

extension SignInPage {
    static let sample = SignInPage(
        strings: Strings(.english),
        csrfToken: "c3RhYmxlLXRva2Vu",
        next: "/dashboard/orders?status=failed"
    )

    static let wrongSample = wrongSample(in: .english)

    static func wrongSample(in language: Language) -> SignInPage {
        SignInPage(
            strings: Strings(language),
            csrfToken: "c3RhYmxlLXRva2Vu",
            email: "mei@example.com",
            problem: .wrong,
            requestID: Sample.requestID
        )
    }
}

extension ErrorPage {
    static let sample = sample(in: .english)

    static func sample(in language: Language) -> ErrorPage {
        ErrorPage(
            ErrorText(status: 404, requestID: "7f3a9c1e5b2d4a60", Strings(language)),
            viewer: Sample.viewer(in: language),
            path: "/dashboard/orders/ORD-20261121-9999"
        )
    }
}

extension BareErrorPage {
    static let sample = sample(in: .english)

    static func sample(in language: Language) -> BareErrorPage {
        BareErrorPage(ErrorText(status: 503, requestID: "7f3a9c1e5b2d4a60", Strings(language)))
    }
}
