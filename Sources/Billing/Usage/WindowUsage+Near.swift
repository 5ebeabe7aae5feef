extension WindowUsage {
    /// True if 80 % of the limit or more is used; never without a limit.
    package var isNearLimit: Bool {
        guard let limit, limit > 0 else { return false }
        return used >= limit - limit / 5  // safe: a fifth of a positive number is less than it
    }

    /// The share of the limit that is used; 0 without a limit.
    fileprivate var share: Double {
        guard let limit, limit > 0 else { return 0 }
        return Double(used) / Double(limit)
    }
}

extension UsageByWindow {
    /// Of the windows whose limit is nearly used up the one with the greatest share used, of equals the longest; nil where none is.
    package var nearest: WindowUsage? {
        windows.filter(\.isNearLimit).reversed().max { $0.share < $1.share }
    }
}
