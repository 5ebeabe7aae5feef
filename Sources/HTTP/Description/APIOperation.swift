package import APITypes
package import HTTPTypes

/// One operation of the API: what it takes and what it answers. It stands beside its handler, and the route names it;
/// `/openapi.json` is made of both.
///
/// The errors are not said: they follow from the route (`ErrorAnswer`).
package struct APIOperation: Sendable {
    /// The operation's name in generated clients.
    package let id: String
    package let tag: Tag
    package let summary: String
    /// The explanation beyond the summary.
    package let meaning: String?
    /// Of the parts of the path that are variable.
    package let path: [APIParameter]
    /// Everything that it takes besides `app`; whatever else is asked is refused.
    package let query: [APIParameter]
    package let body: RequestBody?
    /// True if it needs an `Idempotency-Key`, as far as its method changes something.
    package let takesKey: Bool
    /// True if it takes a key and does without.
    package let mayTakeKey: Bool
    /// True if the customer's plan can forbid it.
    package let isRestricted: Bool
    /// True if it asks a store, which can refuse; an operation that changes something may meet a conflict anyhow.
    package let asksStore: Bool
    /// True if the object that the body names can be missing.
    package let findsByBody: Bool
    /// True if a call without a token names the app that it is for.
    package let namesApp: Bool
    /// True if it takes a customer's token and does without.
    package let mayTakeToken: Bool
    package let answer: Answer

    package init(
        _ id: String,
        _ tag: Tag,
        _ summary: String,
        _ meaning: String? = nil,
        path: APIParameter...,
        query: [any QueryParameterDescription] = [],
        body: RequestBody? = nil,
        takesKey: Bool = true,
        mayTakeKey: Bool = false,
        isRestricted: Bool = false,
        asksStore: Bool = false,
        findsByBody: Bool = false,
        namesApp: Bool = false,
        mayTakeToken: Bool = false,
        answer: Answer
    ) {
        self.id = id
        self.tag = tag
        self.summary = summary
        self.meaning = meaning
        self.path = path
        self.query = query.map(\.description)
        self.body = body
        self.takesKey = takesKey && !mayTakeKey
        self.mayTakeKey = mayTakeKey
        self.isRestricted = isRestricted
        self.asksStore = asksStore
        self.findsByBody = findsByBody
        self.namesApp = namesApp
        self.mayTakeToken = mayTakeToken
        self.answer = answer
    }

    /// The answer when nothing is wrong.
    package struct Answer: Sendable {
        package let status: HTTPResponse.Status
        package let meaning: String
        /// nil for none.
        package let schema: JSONSchema?
        /// True if `Location` says where the new one is.
        package let hasLocation: Bool
        /// True if `ETag` names it, and a client that has it is told so (304).
        package var isTagged = false
        /// The type that it has instead of JSON if `Accept` asks for that, and its meaning.
        package var otherwise: (type: String, meaning: String)?

        package static func ok(_ resource: (some Resource).Type, _ meaning: String) -> Answer {
            Answer(status: .ok, meaning: meaning, schema: resource.schema, hasLocation: false)
        }

        /// The same, or null.
        package static func okOrNull(_ resource: (some Resource).Type, _ meaning: String) -> Answer {
            Answer(status: .ok, meaning: meaning, schema: resource.schema.orNull, hasLocation: false)
        }

        /// A list without more around it.
        package static func list(of resource: (some Resource).Type, _ meaning: String) -> Answer {
            Answer(status: .ok, meaning: meaning, schema: JSONSchema(listOf: resource), hasLocation: false)
        }

        package static func created(
            _ resource: (some Resource).Type,
            _ meaning: String,
            hasLocation: Bool = false
        ) -> Answer {
            Answer(status: .created, meaning: meaning, schema: resource.schema, hasLocation: hasLocation)
        }

        /// The same with an `ETag`.
        package func tagged() -> Answer {
            var answer = self
            answer.isTagged = true
            return answer
        }

        /// The same, or another type if `Accept` asks for that.
        package func or(_ type: String, _ meaning: String) -> Answer {
            var answer = self
            answer.otherwise = (type, meaning)
            return answer
        }

        package static func noContent(_ meaning: String) -> Answer {
            Answer(status: .noContent, meaning: meaning, schema: nil, hasLocation: false)
        }
    }

    /// The groups of operations.
    package enum Tag: String, CaseIterable {
        case tokens = "Tokens"
        case entitlements = "Entitlements"
        case customerSubscriptions = "Customer subscriptions"
        case usage = "Usage"
        case offers = "Offers"
        case servers = "Servers of apps"
        case orders = "Orders"
        case refunds = "Refunds"
        case subscriptions = "Subscriptions"
        case purchases = "Purchases"
        case customers = "Customers"
        case promoCodes = "Promo codes"
        case queues = "Queues"
        case stores = "Stores"
        case audit = "Audit"
        case metrics = "Numbers"

        /// In addresses: `customer-subscriptions`.
        package var slug: String { rawValue.lowercased().replacing(" ", with: "-") }

        package var meaning: String {
            switch self {
            case .tokens: "For apps: what a customer is known by."
            case .entitlements: "For apps: what the customer may use."
            case .servers: "For an app's own server, with a secret key."
            case .customerSubscriptions: "For apps: what the customer has."
            case .usage: "For apps: what the customer uses of what their plan gives."
            case .offers: "For apps: what can be bought."
            case .orders: "Charges that stores have reported."
            case .refunds: "Requests to give money back: asked for, decided by another person, paid."
            case .subscriptions: "What customers have, and what staff do about it."
            case .purchases: "Purchases that an app has verified for its customers."
            case .customers: "Who buys, what happened to them, and what staff wrote down."
            case .promoCodes: "Codes that give a plan for a time: batches of them, and what came of each."
            case .queues: "What is done in the background: what waits, and what failed."
            case .stores: "What connects an app to its stores."
            case .audit: "Who did what, and why."
            case .metrics: "Metrics of the business; each is defined in docs/metrics.md."
            }
        }
    }
}
