import CCurl
import Foundation

/// One request and what has come of its answer: libcurl's easy handle, which it owns. Of one thread.
final class Transfer {
    let order: TransferOrder
    let handle: UnsafeMutableRawPointer
    /// True once the store may have the request.
    private(set) var isAsked = false
    private var body = Data()
    private var headLength = 0
    /// True once the line came that ends the headers: libcurl takes a connection that ends before for the end of the answer.
    private var isHeadWhole = false
    /// The reason that it was cancelled here.
    private var failure: TransportFailure?
    private var headers: UnsafeMutablePointer<curl_slist>?
    private let complaint: UnsafeMutablePointer<CChar>

    init(_ order: TransferOrder) throws(TransportFailure) {
        guard let handle = curl_easy_init() else { throw TransportFailure(.exhausted) }
        self.order = order
        self.handle = handle
        complaint = .allocate(capacity: Int(CURL_ERROR_SIZE))
        complaint.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        guard setUp() else { throw TransportFailure(.invalidRequest, detail) }
    }

    deinit {
        curl_easy_cleanup(handle)
        curl_slist_free_all(headers)
        complaint.deallocate()
    }

    /// The outcome that it ended with.
    func outcome(of code: CURLcode) -> PendingAnswer.Outcome {
        if let failure { return .failure(failure) }
        guard code == CURLE_OK else {
            return .failure(TransportFailure(code.reason(isAsked: isAsked), detail))
        }
        guard isHeadWhole else { return .failure(TransportFailure(.cut, "The headers of the answer have no end.")) }
        var status = 0
        ccurl_get_status(handle, &status)
        return .success(StoreResponse(status: status, headers: answeredHeaders, body: body))
    }

    // MARK: What libcurl calls

    /// - Returns: true if the request may be sent; it is not sent a second time, on another connection.
    private func begin() -> Bool {
        guard !isAsked else {
            failure = TransportFailure(.cut, "The connection ended before an answer came.")
            return false
        }
        isAsked = true
        return true
    }

    /// - Returns: true if more is wanted.
    private func take(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard bytes.count <= order.request.longestAnswer - body.count else {
            failure = TransportFailure(.tooLong)
            return false
        }
        body.append(contentsOf: bytes)
        return true
    }

    /// A line of the headers, or of what comes behind the body.
    private func takeHead(_ line: UnsafeRawBufferPointer) -> Bool {
        isHeadWhole = isHeadWhole && !line.starts(with: Self.statusLine) || line.elementsEqual(Self.lineEnd)
        headLength += line.count
        guard headLength <= TransferOptions.longestHead else {
            failure = TransportFailure(.headersTooLong)
            return false
        }
        return true
    }

    // MARK: What it is set to

    private func setUp() -> Bool {
        let context = Unmanaged.passUnretained(self).toOpaque()
        return setCallbacks(context) && setRequest() && setHeaders() && setRules() && setProxy()
    }

    private func setCallbacks(_ context: UnsafeMutableRawPointer) -> Bool {
        let results = [
            ccurl_set_pointer(handle, CURLOPT_ERRORBUFFER, complaint),
            ccurl_set_pointer(handle, CURLOPT_PREREQDATA, context),
            ccurl_set_before_request(handle) { context, _, _, _, _ in
                Transfer.of(context)?.begin() == true ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
            },
            ccurl_set_pointer(handle, CURLOPT_HEADERDATA, context),
            ccurl_set_receiver(handle, CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
                let line = UnsafeRawBufferPointer(start: bytes, count: size * count)
                return Transfer.of(context)?.takeHead(line) == true ? size * count : 0
            },
            ccurl_set_pointer(handle, CURLOPT_WRITEDATA, context),
            ccurl_set_receiver(handle, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
                let bytes = UnsafeRawBufferPointer(start: bytes, count: size * count)
                return Transfer.of(context)?.take(bytes) == true ? size * count : 0
            },
        ]
        return results.allSatisfy { $0 == CURLE_OK }
    }

    private static func of(_ context: UnsafeMutableRawPointer?) -> Transfer? {
        context.map { Unmanaged<Transfer>.fromOpaque($0).takeUnretainedValue() }
    }

    private func setRequest() -> Bool {
        let request = order.request
        guard set(CURLOPT_URL, request.url) else { return false }
        let hasBody = request.body != nil || ["POST", "PUT", "PATCH"].contains(request.method)
        if request.method == "HEAD" { return set(CURLOPT_NOBODY, 1) }
        guard set(CURLOPT_CUSTOMREQUEST, request.method) else { return false }
        guard hasBody else { return set(CURLOPT_HTTPGET, 1) }
        let body = request.body ?? Data()
        guard set(CURLOPT_POST, 1),
            ccurl_set_size(handle, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(body.count)) == CURLE_OK
        else { return false }
        // One byte more, so that there is a first one.
        return (body + [0]).withUnsafeBytes { bytes in
            let start = UnsafeMutableRawPointer(mutating: bytes.baseAddress)
            return ccurl_set_pointer(handle, CURLOPT_COPYPOSTFIELDS, start) == CURLE_OK
        }
    }

    /// Removes the headers that libcurl adds by itself, but those that HTTP needs.
    private func setHeaders() -> Bool {
        let own = order.request.headers
        let names = Set(own.keys.map { $0.lowercased() })
        var lines = ["Accept", "Content-Type", "Expect"].filter { !names.contains($0.lowercased()) }.map { "\($0):" }
        for (name, value) in own.sorted(by: { $0.key < $1.key }) {
            // libcurl takes a header without a value for one to leave out.
            lines.append(value.allSatisfy(\.isWhitespace) ? "\(name);" : "\(name): \(value)")
        }
        for line in lines {
            guard let longer = curl_slist_append(headers, line) else { return false }
            headers = longer
        }
        return ccurl_set_headers(handle, headers) == CURLE_OK
    }

    private func setRules() -> Bool {
        guard let limit = Int(exactly: (order.options.connectTimeout / .milliseconds(1)).rounded()),
            set(CURLOPT_PROTOCOLS_STR, "http,https"), set(CURLOPT_CONNECTTIMEOUT_MS, limit)
        else { return false }
        return setRoots() && Self.rules.allSatisfy { set($0, $1) }
    }

    /// The system's folder of roots has the same ones as its file, and libcurl would read all of them anew for
    /// each connection: it remembers only what comes from a file.
    private func setRoots() -> Bool {
        if let roots = order.options.roots, !set(CURLOPT_CAINFO, roots) { return false }
        return ccurl_get_roots(handle) == nil || set(CURLOPT_CAPATH, nil)
    }

    private func setProxy() -> Bool {
        let proxy = order.options.proxy
        // An empty one is none, where libcurl would otherwise ask the environment.
        return set(CURLOPT_PROXY, proxy.address(for: order.origin.scheme) ?? "")
            && set(CURLOPT_NOPROXY, proxy.exceptions) && set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
    }

    private func set(_ option: CURLoption, _ value: Int) -> Bool {
        ccurl_set_number(handle, option, value) == CURLE_OK
    }

    private func set(_ option: CURLoption, _ value: String?) -> Bool {
        ccurl_set_text(handle, option, value) == CURLE_OK
    }

    private static let rules: [(CURLoption, Int)] = [
        (CURLOPT_NOSIGNAL, 1), (CURLOPT_FOLLOWLOCATION, 0), (CURLOPT_PATH_AS_IS, 1), (CURLOPT_NETRC, 0),
        (CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2TLS)), (CURLOPT_HTTP09_ALLOWED, 0),
        (CURLOPT_SSL_VERIFYPEER, 1), (CURLOPT_SSL_VERIFYHOST, 2), (CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2)),
        (CURLOPT_PROXY_SSL_VERIFYPEER, 1), (CURLOPT_PROXY_SSL_VERIFYHOST, 2),
        (CURLOPT_PROXY_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2)),
        // Names are looked up on threads that are not waited for: nobody else's answers are late for a resolver's sake.
        (CURLOPT_QUICK_EXIT, 1),
        // Idle for longer, a connection is likely to be closed on the other side.
        (CURLOPT_MAXAGE_CONN, 60),
    ]

    private static let statusLine = Array("HTTP/".utf8)
    private static let lineEnd = Array("\r\n".utf8)

    // MARK: What came

    private var detail: String { String(cString: complaint) }

    /// Of the answer itself, not of what announced it or came behind the body; by lower-case name.
    private var answeredHeaders: [String: String] {
        var headers: [String: String] = [:]
        var header = curl_easy_nextheader(handle, UInt32(CURLH_HEADER), -1, nil)
        while let known = header {
            let name = String(cString: known.pointee.name).lowercased()
            // Of one without a value some versions keep the end of the line.
            let value = String(cString: known.pointee.value).trimmingCharacters(in: .whitespacesAndNewlines)
            headers[name] = headers[name].map { "\($0), \(value)" } ?? value
            header = curl_easy_nextheader(handle, UInt32(CURLH_HEADER), -1, known)
        }
        return headers
    }
}
