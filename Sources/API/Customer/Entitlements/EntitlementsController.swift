import APITypes
import Billing
import Foundation
package import HTTP
import HTTPTypes
package import Hummingbird
import Operations
import Storage
import Words

/// Answers what a customer may use.
package struct EntitlementsController: Sendable {
    let backOffice: BackOffice

    package static let all = APIOperation(
        "showEntitlements",
        .entitlements,
        "What the customer may use now",
        """
        It is right at the moment it is asked: an end needs no sweep, and what was changed on any server, or in the catalogue, is in the \
        next answer. After a purchase, `after` with the version that the app has and `wait` answer as soon as there is a newer one.
        """,
        query: EntitlementWait.parameters,
        answer: .ok(CustomerEntitlement.self, "The plan, and every feature of the app.").tagged()
            .or(
                MediaRange.jwt,
                """
                The same signed (ES256, `typ` `entitlement+jwt`), to be read without a connection with the keys of \
                `/.well-known/jwks.json`; `features` holds what is included.
                """
            )
    )

    /// `GET /entitlements`
    @Sendable package func index(_ call: CustomerRequest) async throws -> Response {
        let session = try await EntitlementWait(call).session(backOffice)
        let usage = try await backOffice.usage(for: session)
        let answer = CustomerEntitlement(
            usage.held,
            usage.catalog,
            usage,
            of: session.customer,
            called: session.externalID,
            version: session.version,
            accountToken: session.accountToken,
            in: call.strings,
            at: usage.readAt
        )
        guard MediaRange.prefersJWT(call.request) else { return .json(answer, of: session.customer, to: call.request) }
        let claims = EntitlementClaims(answer, usage)
        return .jwt(try await backOffice.sign(claims, for: session, hours: usage.catalog.offlineHours))
    }

    package static let one = APIOperation(
        "showFeature",
        .entitlements,
        "Whether the customer may use one feature",
        path: .name("feature", "The app's own code of it.", example: "ai"),
        answer: .ok(FeatureEntitlement.self, "The feature.").tagged()
    )

    /// `GET /entitlements/{feature}`
    @Sendable package func show(_ call: CustomerRequest) async throws -> Response {
        let code = try call.parameter("feature")
        let usage = try await backOffice.usage(for: call.session)
        guard let record = usage.catalog.feature(code) else {
            throw WebError(.notFound, "The app has no such feature.", reason: .featureNotFound)
        }
        let answer = FeatureEntitlement(
            record,
            with: usage.plan,
            of: usage.catalog,
            usage,
            in: call.strings,
            at: usage.readAt
        )
        return .json(answer, of: call.customer, to: call.request)
    }
}

/// The media types that `Accept` asks for.
package enum MediaRange {
    package static let jwt = "application/jwt"

    /// Returns true if a client prefers a JWT to JSON: it names it, and does not weigh JSON higher (RFC 9110, 12.5.1).
    package static func prefersJWT(_ request: Request) -> Bool {
        guard let accept = request.headers[.accept] else { return false }
        let ranges = accept.lowercased().split(separator: ",").map { range in
            let parts = range.split(separator: ";").map { $0.filter { $0 != " " } }
            let quality = parts.dropFirst().lazy.compactMap { $0.hasPrefix("q=") ? Double($0.dropFirst(2)) : nil }.first
            return (type: parts.first ?? "", quality: quality ?? 1)
        }
        func quality(_ type: String) -> Double? { ranges.first { $0.type == type }?.quality }
        guard let signed = quality(jwt), signed > 0 else { return false }
        return signed >= quality("application/json") ?? 0
    }
}

extension EntitlementClaims {
    /// - Parameter usage: the usage that `answer` was made of.
    fileprivate init(_ answer: CustomerEntitlement, _ usage: CustomerUsage) {
        let catalog = usage.catalog
        self.init(
            environment: StoreEnvironment(name: answer.environment) ?? .production,
            externalID: answer.externalId,
            status: answer.status,
            source: answer.source,
            entitlement: usage.held.entitlement(at: usage.readAt),
            plan: usage.plan,
            features: usage.features.reduce(into: [:]) { features, used in
                guard case .included(let limits) = used.access else { return }
                features[used.feature] = limits.increased(by: used.increases, at: usage.readAt)
            },
            products: Dictionary(catalog.products.filter { !$0.isConsumable }.map { ($0.id, $0.plan) }) { first, _ in
                first
            }
        )
    }
}

extension Response {
    /// Answers with a customer's entitlement, or that the client has it already (304). It is private, and revalidated each time.
    fileprivate static func json(_ answer: some Resource, of customer: Customer.ID, to request: Request) -> Response {
        var json = JSONWriter()
        answer.write(to: &json)
        let scope = "\(customer) \(request.uri.path) \(request.strings.tag)"
        let tag = EntityTag(of: json.bytes, without: json.volatileRanges, in: scope)
        if tag.isKnown(to: request) { return Response(status: .notModified, headers: Self.headers(tag)) }
        var response = Response.json(json)
        for field in Self.headers(tag) { response.headers.append(field) }
        return response
    }

    private static func headers(_ tag: EntityTag) -> HTTPFields {
        [.eTag: tag.text, .cacheControl: "private, no-cache", .vary: "Authorization, Accept, Accept-Language"]
    }

    fileprivate static func jwt(_ token: String) -> Response {
        var response = Response.text(token, type: MediaRange.jwt)
        response.headers[.contentType] = MediaRange.jwt
        response.headers[.cacheControl] = "private, no-store"
        response.headers[.vary] = "Authorization, Accept, Accept-Language"
        return response
    }
}
