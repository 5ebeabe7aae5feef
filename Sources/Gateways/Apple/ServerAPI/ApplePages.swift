import Billing

/// A list that Apple sends page by page; each page is requested once the one before has been handled.
///
/// The same entry can come twice: entries that change meanwhile move to the end, and a list whose token has expired starts again.
package struct ApplePages<Page: ApplePage>: AsyncSequence, Sendable {
    package typealias Element = AppleServerAnswer<Page>
    package typealias Failure = AppleServerError

    typealias Fetch =
        @Sendable (_ place: String?, _ environment: StoreEnvironment?) async throws(AppleServerError) -> Element

    let endpoint: AppleEndpoint
    let environment: StoreEnvironment?
    /// The token of the next page; nil for the first.
    let place: String?
    let fetch: Fetch

    package func makeAsyncIterator() -> Iterator {
        Iterator(endpoint: endpoint, fetch: fetch, environment: environment, place: place)
    }

    package struct Iterator: AsyncIteratorProtocol {
        fileprivate let endpoint: AppleEndpoint
        fileprivate let fetch: Fetch
        /// Known with the first page.
        fileprivate var environment: StoreEnvironment?
        fileprivate var place: String?
        private var isAtEnd = false
        private var beginnings = 3

        fileprivate init(
            endpoint: AppleEndpoint,
            fetch: @escaping Fetch,
            environment: StoreEnvironment?,
            place: String?
        ) {
            self.endpoint = endpoint
            self.fetch = fetch
            self.environment = environment
            self.place = place
        }

        package mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(AppleServerError) -> Element? {
            guard !isAtEnd else { return nil }
            let answer: Element
            do {
                answer = try await fetch(place, environment)
            } catch {
                guard error.code == .paginationTokenExpired, place != nil, beginnings > 0 else { throw error }
                beginnings -= 1
                place = nil
                answer = try await fetch(nil, environment)
            }
            environment = answer.environment
            guard answer.content.hasMore else {
                isAtEnd = true
                return answer
            }
            guard let following = answer.content.following, following != place else {
                throw AppleServerError(
                    endpoint,
                    in: answer.environment,
                    httpStatus: 200,
                    cause: GatewayError(.malformed, "A page says that there are more, and not where.")
                )
            }
            place = following
            return answer
        }

        package mutating func next() async throws(AppleServerError) -> Element? {
            try await next(isolation: nil)
        }
    }
}

/// One page of a list.
package protocol ApplePage: Sendable {
    var hasMore: Bool { get }
    /// The token of the next page.
    var following: String? { get }
}
