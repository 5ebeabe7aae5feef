/// What went wrong, what to do about it, and the id under which the log has it.
package struct ErrorText: Sendable, Hashable {
    let status: Int
    let headline: String
    let explanation: String
    let advice: String
    let linkText: String
    let href: String
    let requestID: String

    private init(
        status: Int,
        _ headline: String,
        _ explanation: String,
        _ advice: String,
        linkText: String = "Go to the orders",
        href: String = DashboardPath.orders,
        requestID: String
    ) {
        self.status = status
        self.headline = headline
        self.explanation = explanation
        self.advice = advice
        self.linkText = linkText
        self.href = href
        self.requestID = requestID
    }

    /// - Parameter status: 400, 403, 404, 405, 409, 413, 422, 429, 500 or 503; another is read as 400 or 500.
    package init(status: Int, requestID: String) {
        let (headline, explanation, advice) = Self.words(for: status)
        self.init(status: status, headline, explanation, advice, requestID: requestID)
    }

    /// For a cursor that we did not write.
    ///
    /// - Parameter list: the list that the address is of; its first page is offered.
    package static func staleCursor(requestID: String, list: String) -> ErrorText {
        ErrorText(
            status: 400,
            "This page marker is not one of ours",
            "The address names a place in the list that was cut off, changed or made for another list.",
            "Start from the list's first page and page on from there.",
            linkText: "Go to the first page",
            href: DashboardPath.safe(list) ?? DashboardPath.orders,
            requestID: requestID
        )
    }

    private static func words(for status: Int) -> (headline: String, explanation: String, advice: String) {
        switch status {
        case 403:
            (
                "You may not do this", "Your role does not allow it, or the form was open for too long.",
                "Go back and try once more. If your work needs it, ask an admin."
            )
        case 404:
            (
                "There is no such page", "The address is wrong, or what it names belongs to another app.",
                "Search for the number, or check which app you are looking at."
            )
        case 405:
            (
                "This address does something else", "It cannot be opened the way it was.",
                "Go back and use the page's own links and buttons."
            )
        case 409:
            (
                "Somebody else was faster", "What you wanted to change has changed in the meantime; nothing was done.",
                "Open it again, look at what is new, and decide anew."
            )
        case 413:
            ("That is too large", "More was sent than this page takes.", "Send less, or in several pieces.")
        case 422:
            (
                "Something in the form is not right",
                "A field is missing or holds what it cannot hold; nothing was done.",
                "Go back and correct it."
            )
        case 429:
            ("Too many requests", "This came too often in a short time.", "Wait a minute, then try again.")
        case 503:
            (
                "Not available just now",
                "The server is busy or cannot reach its database. What stores send is safe: they send it again.",
                "Try again in a minute. If it stays, tell whoever runs the server."
            )
        case 400..<500:
            (
                "The request was not understood", "Something in the address or the form is not what this page expects.",
                "Go back and try again from there."
            )
        case _:
            (
                "Something went wrong on our side",
                "It is in the server's log, with everything that is needed to find it.",
                "Try again. If it happens again, tell whoever runs the server the request id below."
            )
        }
    }
}
