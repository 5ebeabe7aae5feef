/// What went wrong, what to do about it, and the id under which the log has it.
package struct ErrorText: Sendable {
    let status: Int
    let headline: StaticString
    let explanation: StaticString
    let advice: StaticString
    let linkText: StaticString
    let href: String
    let requestID: String
    let words: Words
    /// What is wrong with which field.
    package var problems: [String] = []

    // For sentences that the template completes.
    var statusText: String { String(status) }
    var headlineText: String { headline.description }

    private init(
        status: Int,
        _ sentences: Sentences,
        linkText: StaticString,
        href: String,
        requestID: String,
        _ words: Words
    ) {
        self.status = status
        (headline, explanation, advice) = sentences
        self.linkText = linkText
        self.href = href
        self.requestID = requestID
        self.words = words
    }

    /// - Parameter status: 400, 403, 404, 405, 409, 413, 422, 429, 500 or 503; another is read as 400 or 500.
    package init(status: Int, requestID: String, _ words: Words) {
        self.init(
            status: status,
            Self.sentences(for: status, words),
            linkText: words.errorsToOrders,
            href: DashboardPath.orders,
            requestID: requestID,
            words
        )
    }

    /// For a cursor that we did not write.
    ///
    /// - Parameter list: the list that the address is of; its first page is offered.
    package static func staleCursor(requestID: String, list: String, _ words: Words) -> ErrorText {
        ErrorText(
            status: 400,
            (words.errorsStaleCursorHeadline, words.errorsStaleCursorText, words.errorsStaleCursorAdvice),
            linkText: words.errorsToFirstPage,
            href: DashboardPath.safe(list) ?? DashboardPath.orders,
            requestID: requestID,
            words
        )
    }

    /// For what somebody else is changing at this moment.
    package static func busy(requestID: String, _ words: Words) -> ErrorText {
        ErrorText(
            status: 503,
            (words.errorsBusyHeadline, words.errorsBusyText, words.errorsBusyAdvice),
            linkText: words.errorsToOrders,
            href: DashboardPath.orders,
            requestID: requestID,
            words
        )
    }

    /// For an export that has to wait for others, or has let its reader wait too long.
    static func refused(_ refusal: ExportRefusal, requestID: String, _ words: Words) -> ErrorText {
        let (status, sentences): (Int, Sentences) =
            switch refusal {
            case .ofPerson:
                (429, (words.errorsExportYoursHeadline, words.errorsExportYoursText, words.errorsExportAdvice))
            case .ofAll: (503, (words.errorsExportAllHeadline, words.errorsExportAllText, words.errorsExportAdvice))
            case .late:
                (503, (words.errorsExportLateHeadline, words.errorsExportLateText, words.errorsExportLateAdvice))
            }
        return ErrorText(
            status: status,
            sentences,
            linkText: words.errorsToOrders,
            href: DashboardPath.orders,
            requestID: requestID,
            words
        )
    }

    private typealias Sentences = (headline: StaticString, explanation: StaticString, advice: StaticString)

    private static func sentences(for status: Int, _ words: Words) -> Sentences {
        switch status {
        case 403: (words.errorsForbiddenHeadline, words.errorsForbiddenText, words.errorsForbiddenAdvice)
        case 404: (words.errorsNotFoundHeadline, words.errorsNotFoundText, words.errorsNotFoundAdvice)
        case 405: (words.errorsMethodHeadline, words.errorsMethodText, words.errorsMethodAdvice)
        case 409: (words.errorsConflictHeadline, words.errorsConflictText, words.errorsConflictAdvice)
        case 413: (words.errorsTooLargeHeadline, words.errorsTooLargeText, words.errorsTooLargeAdvice)
        case 422: (words.errorsInvalidHeadline, words.errorsInvalidText, words.errorsInvalidAdvice)
        case 429: (words.errorsTooManyHeadline, words.errorsTooManyText, words.errorsTooManyAdvice)
        case 503: (words.errorsUnavailableHeadline, words.errorsUnavailableText, words.errorsUnavailableAdvice)
        case 400..<500: (words.errorsBadRequestHeadline, words.errorsBadRequestText, words.errorsBadRequestAdvice)
        case _: (words.errorsInternalHeadline, words.errorsInternalText, words.errorsInternalAdvice)
        }
    }
}
