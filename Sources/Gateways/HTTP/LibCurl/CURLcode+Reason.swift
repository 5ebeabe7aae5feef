import CCurl

extension CURLcode {
    /// The reason for the failure of a transfer that was not cancelled here.
    ///
    /// - Parameter isAsked: true if the store may have received the request.
    func reason(isAsked: Bool) -> TransportFailure.Reason {
        switch self {
        case CURLE_URL_MALFORMAT: .invalidRequest
        case CURLE_UNSUPPORTED_PROTOCOL: isAsked ? .notHTTP : .invalidRequest
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY: .unresolved
        case CURLE_COULDNT_CONNECT, CURLE_PROXY, CURLE_INTERFACE_FAILED: .refused
        case CURLE_OPERATION_TIMEDOUT: isAsked ? .timedOut : .connectTimedOut
        case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CERTPROBLEM,
            CURLE_SSL_CIPHER, CURLE_SSL_ISSUER_ERROR, CURLE_USE_SSL_FAILED, CURLE_SSL_INVALIDCERTSTATUS:
            .tls
        case CURLE_WEIRD_SERVER_REPLY, CURLE_BAD_CONTENT_ENCODING: .notHTTP
        case CURLE_FILESIZE_EXCEEDED: .tooLong
        // One header alone is longer than libcurl keeps. Newer versions have a code for it (CURLE_TOO_LARGE).
        case CURLE_OUT_OF_MEMORY where isAsked, CURLcode(rawValue: 100): .headersTooLong
        case CURLE_OUT_OF_MEMORY, CURLE_FAILED_INIT: .exhausted
        default: isAsked ? .cut : .refused
        }
    }
}
