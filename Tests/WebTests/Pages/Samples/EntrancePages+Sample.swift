import Storage
import Web

extension SignInPage {
    static let sample = SignInPage(
        words: Words(.english),
        csrfToken: "c3RhYmxlLXRva2Vu",
        next: "/dashboard/orders?status=failed"
    )

    static let wrongSample = SignInPage(
        words: Words(.english),
        csrfToken: "c3RhYmxlLXRva2Vu",
        email: "mei@example.com",
        problem: .wrong
    )
}

extension ErrorPage {
    static let sample = ErrorPage(
        ErrorText(status: 404, requestID: "7f3a9c1e5b2d4a60"),
        viewer: Sample.viewer,
        path: "/dashboard/orders/ORD-20261121-9999"
    )
}

extension BareErrorPage {
    static let sample = BareErrorPage(
        ErrorText(status: 503, requestID: "7f3a9c1e5b2d4a60"),
        words: Words(.english)
    )
}
