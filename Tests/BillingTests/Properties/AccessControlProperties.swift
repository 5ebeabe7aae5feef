import Billing
import Foundation
import Testing

/// The lightgallery document's properties of what a tier opens, each on many made-up apps and subscriptions. A failure prints its seed.
@Suite("properties of the lightgallery document: tiers and access") struct AccessControlProperties {
    static let seeds: Range<UInt64> = 0..<200

    @Test("Property 7: Subscription Tier Features")
    func tierFeatures() {
        for seed in Self.seeds {
            let app = MadeUpApp(seed: seed)
            for feature in app.features {
                #expect(Self.isRefused(FeatureAccess(to: feature, with: "FREE", of: app.plans)), "seed \(seed)")
                for tier in ["PRO", "MAX"] {
                    let access = FeatureAccess(to: feature, with: tier, of: app.plans)
                    #expect(access == .included(app.limits(of: feature, in: tier)), "seed \(seed): \(feature), \(tier)")
                }
            }
        }
    }

    @Test("Property 8: Active Subscription Display")
    func activeSubscription() {
        for seed in Self.seeds {
            let held = HeldOne(seed: seed, state: .active)
            let shown = held.sources.entitlement(at: held.inside)
            #expect(shown?.plan == held.plan, "seed \(seed)")
            #expect(shown?.until == held.end, "seed \(seed)")
            #expect(shown?.state == .active, "seed \(seed)")
        }
    }

    @Test("Property 17: Free Tier Access Restriction")
    func freeTier() {
        for seed in Self.seeds {
            let app = MadeUpApp(seed: seed)
            // Who holds nothing has the plan that everybody has, and where an app has none, no plan.
            for tier in ["FREE", nil] {
                for feature in app.features {
                    // What the prompt offers: the lowest plan that has it.
                    #expect(
                        FeatureAccess(to: feature, with: tier, of: app.plans) == .tierRequired(plan: "PRO"),
                        "seed \(seed): \(feature)"
                    )
                }
            }
        }
    }

    @Test("Property 18: Paid Tier Access Grant")
    func paidTier() {
        for seed in Self.seeds {
            let (app, held) = (MadeUpApp(seed: seed), HeldOne(seed: seed, state: .active))
            // At once: at the very moment at which it begins.
            for now in [held.start, held.inside] {
                let tier = held.sources.entitlement(at: now)?.plan.code
                #expect(tier == held.plan.code, "seed \(seed)")
                for feature in app.features {
                    let isRefused = Self.isRefused(FeatureAccess(to: feature, with: tier, of: app.plans))
                    #expect(!isRefused, "seed \(seed): \(feature)")
                }
            }
        }
    }

    @Test("Property 20: Expired Subscription Restriction")
    func expired() {
        for seed in Self.seeds {
            let app = MadeUpApp(seed: seed)
            // Also where nothing has told of the end yet: the clock alone ends it, at that moment.
            for state in [Subscription.State.active, .trial, .cancelled, .expired, .trialExpired] {
                let held = HeldOne(seed: seed, state: state)
                for now in [held.end, held.end.addingTimeInterval(0.001), held.later] {
                    let tier = held.sources.entitlement(at: now)?.plan.code
                    #expect(tier == nil, "seed \(seed): \(state)")
                    for feature in app.features {
                        let isRefused = Self.isRefused(FeatureAccess(to: feature, with: tier, of: app.plans))
                        #expect(isRefused, "seed \(seed): \(feature), \(state)")
                    }
                }
            }
        }
    }

    @Test("Property 24: Cancelled Subscription Access")
    func cancelled() {
        for seed in Self.seeds {
            let held = HeldOne(seed: seed, state: .cancelled)
            for now in [held.start, held.inside, held.end.addingTimeInterval(-0.001)] {
                let entitlement = held.sources.entitlement(at: now)
                #expect(entitlement?.plan == held.plan, "seed \(seed)")
                #expect(entitlement?.until == held.end, "seed \(seed)")
                #expect(entitlement?.willRenew == false, "seed \(seed)")
            }
            #expect(held.sources.entitlement(at: held.end) == nil, "seed \(seed)")
        }
    }

    private static func isRefused(_ access: FeatureAccess) -> Bool {
        switch access {
        case .included: false
        case .tierRequired: true
        }
    }
}

/// An app with the document's three tiers and some premium features, limited or not, the same for the same seed.
private struct MadeUpApp {
    let features: [String]
    let plans: [CatalogPlan]

    init(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let features = (0..<Int.random(in: 1...12, using: &random)).map { "feature-\($0)" }
        func limits() -> [String: FeatureLimits] {
            var limits: [String: FeatureLimits] = [:]
            for feature in features {
                let day = random.happens(50) ? Int64.random(in: FeatureLimits.possible, using: &random) : nil
                limits[feature] = FeatureLimits(day: day)
            }
            return limits
        }
        let (pro, max) = (limits(), limits())
        self.features = features
        plans = [
            CatalogPlan(plan: Plan(code: "FREE", rank: 0), name: "Free"),
            CatalogPlan(plan: Plan(code: "PRO", rank: 1), name: "Pro", features: pro),
            CatalogPlan(plan: Plan(code: "MAX", rank: 2), name: "Max", features: max),
        ].shuffled(using: &random)
    }

    func limits(of feature: String, in tier: String) -> FeatureLimits {
        plans.first { $0.plan.code == tier }?.features[feature] ?? .unlimited
    }
}

/// Somebody with one subscription to Pro or Max.
private struct HeldOne {
    let (start, inside, end, later): (Date, Date, Date, Date)
    let plan: Plan
    let sources: EntitlementSources

    init(seed: UInt64, state: Subscription.State) {
        var random = SplitMix64(seed: ~seed)
        let length = Double.random(in: 1...365, using: &random)
        let first = Double(Int.random(in: 0...500, using: &random))
        start = .day(first)
        end = .day(first + length)
        inside = .day(first + length * Double.random(in: 0..<0.99, using: &random))
        later = .day(first + length + Double.random(in: 0...1_000, using: &random))
        plan = random.happens(50) ? Plan(code: "PRO", rank: 1) : Plan(code: "MAX", rank: 2)
        var subscription = Subscription()
        subscription.state = state
        subscription.startedAt = start
        subscription.periodStartsAt = start
        subscription.periodEndsAt = end
        subscription.renewsAutomatically = state == .active
        sources = EntitlementSources(
            customer: Customer.ID(UUID()),
            subscriptions: [HeldSubscription(id: Subscription.ID(UUID()), subscription: subscription, plan: plan)]
        )
    }
}
