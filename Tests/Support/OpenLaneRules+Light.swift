package import Market

extension OpenLaneRules {
    /// Stamps that take next to no work, for tests with many accounts.
    package static let light = OpenLaneRules(triesPerKibibyte: 16)
}
