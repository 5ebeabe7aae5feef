import HTTP
package import Words

/// The text of an error page: the failure, the remedy, and the id under which the log has it.
package struct ErrorText: Sendable {
    package let status: Int
    package let headline: StaticString
    package let explanation: StaticString
    package let advice: StaticString
    package let linkText: StaticString
    package let href: String
    package let requestID: String
    package let strings: Strings
    /// The problems of the fields.
    package var problems: [String] = []

    // For sentences that the template completes.
    package var statusText: String { String(status) }
    package var headlineText: String { headline.description }

    private init(
        status: Int,
        _ sentences: Sentences,
        linkText: StaticString,
        href: String,
        requestID: String,
        _ strings: Strings
    ) {
        self.status = status
        (headline, explanation, advice) = sentences
        self.linkText = linkText
        self.href = href
        self.requestID = requestID
        self.strings = strings
    }

    /// - Parameter status: 400, 403, 404, 405, 409, 413, 422, 429, 500 or 503; another is read as 400 or 500.
    package init(status: Int, requestID: String, _ strings: Strings) {
        self.init(
            status: status,
            Self.sentences(for: status, strings),
            linkText: strings.errorsToOrders,
            href: DashboardPath.orders,
            requestID: requestID,
            strings
        )
    }

    /// For a cursor that we did not write.
    ///
    /// - Parameter list: the list that the address is of; its first page is offered.
    package static func staleCursor(requestID: String, list: String, _ strings: Strings) -> ErrorText {
        ErrorText(
            status: 400,
            (strings.errorsStaleCursorHeadline, strings.errorsStaleCursorText, strings.errorsStaleCursorAdvice),
            linkText: strings.errorsToFirstPage,
            href: DashboardPath.safe(list) ?? DashboardPath.orders,
            requestID: requestID,
            strings
        )
    }

    /// For what somebody else is changing at this moment.
    package static func busy(requestID: String, _ strings: Strings) -> ErrorText {
        ErrorText(
            status: 503,
            (strings.errorsBusyHeadline, strings.errorsBusyText, strings.errorsBusyAdvice),
            linkText: strings.errorsToOrders,
            href: DashboardPath.orders,
            requestID: requestID,
            strings
        )
    }

    /// For an export that has to wait for others, or has let its reader wait too long.
    package static func refused(_ rejection: ExportRejection, requestID: String, _ strings: Strings) -> ErrorText {
        let (status, sentences): (Int, Sentences) =
            switch rejection {
            case .ofPerson:
                (429, (strings.errorsExportYoursHeadline, strings.errorsExportYoursText, strings.errorsExportAdvice))
            case .ofAll:
                (503, (strings.errorsExportAllHeadline, strings.errorsExportAllText, strings.errorsExportAdvice))
            case .late:
                (503, (strings.errorsExportLateHeadline, strings.errorsExportLateText, strings.errorsExportLateAdvice))
            }
        return ErrorText(
            status: status,
            sentences,
            linkText: strings.errorsToOrders,
            href: DashboardPath.orders,
            requestID: requestID,
            strings
        )
    }

    private typealias Sentences = (headline: StaticString, explanation: StaticString, advice: StaticString)

    private static func sentences(for status: Int, _ strings: Strings) -> Sentences {
        switch status {
        case 403: (strings.errorsForbiddenHeadline, strings.errorsForbiddenText, strings.errorsForbiddenAdvice)
        case 404: (strings.errorsNotFoundHeadline, strings.errorsNotFoundText, strings.errorsNotFoundAdvice)
        case 405: (strings.errorsMethodHeadline, strings.errorsMethodText, strings.errorsMethodAdvice)
        case 409: (strings.errorsConflictHeadline, strings.errorsConflictText, strings.errorsConflictAdvice)
        case 413: (strings.errorsTooLargeHeadline, strings.errorsTooLargeText, strings.errorsTooLargeAdvice)
        case 422: (strings.errorsInvalidHeadline, strings.errorsInvalidText, strings.errorsInvalidAdvice)
        case 429: (strings.errorsTooManyHeadline, strings.errorsTooManyText, strings.errorsTooManyAdvice)
        case 503: (strings.errorsUnavailableHeadline, strings.errorsUnavailableText, strings.errorsUnavailableAdvice)
        case 400..<500: (strings.errorsBadRequestHeadline, strings.errorsBadRequestText, strings.errorsBadRequestAdvice)
        case _: (strings.errorsInternalHeadline, strings.errorsInternalText, strings.errorsInternalAdvice)
        }
    }
}
