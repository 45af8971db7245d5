package import Keys
package import Market

/// How much mail of strangers was stored recently, by recipient and by origin.
///
/// The price of a deposit depends on this as well as on the waiting mail: the mail of a signed-in
/// account does not wait anywhere, but a sender who fills its request box should still pay.
///
/// Laws:
/// - Counts decrease evenly, from a full part to zero in an hour, so an idle account's price is the
///   lowest.
/// - It has at most `entriesMax` accounts and as many pairs of account and origin; when there are
///   more, those with the least are removed.
///
/// Source: Docs/protocol.md, section 10.12.
package struct StrangerArrivals: Sendable {
    /// The size of a part: as many slots of 8 KiB as fill it in the store.
    private static let accountPlacesMax = 256.0
    private static let originPlacesMax = 32.0
    private static let window = Duration.seconds(3_600)
    static let entriesMax = 20_000

    private struct AccountOrigin: Hashable {
        let account: Address
        let origin: Bytes32
    }

    private struct Level {
        var places: Double
        var at: Timestamp

        func left(at now: Timestamp, of placesMax: Double) -> Double {
            let elapsed = now > at ? now.elapsed(since: at) / StrangerArrivals.window : 0
            return max(0, places - elapsed * placesMax)
        }
    }

    private var accounts: [Address: Level] = [:]
    private var origins: [AccountOrigin: Level] = [:]

    package init() {}

    /// Records a stored deposit.
    package mutating func note(
        _ byteCount: Int,
        for account: Address,
        from origin: Bytes32,
        at now: Timestamp
    ) {
        let places = Double(MailLimits.places(of: byteCount))
        let pair = AccountOrigin(account: account, origin: origin)
        let ofAccount = accounts[account]?.left(at: now, of: Self.accountPlacesMax) ?? 0
        let ofOrigin = origins[pair]?.left(at: now, of: Self.originPlacesMax) ?? 0
        accounts[account] = Level(places: ofAccount + places, at: now)
        origins[pair] = Level(places: ofOrigin + places, at: now)
        Self.trim(&accounts, Self.accountPlacesMax, at: now)
        Self.trim(&origins, Self.originPlacesMax, at: now)
    }

    /// Returns how full the account's part would be with the recent deposits, and this origin's
    /// part of it, in percent.
    package func percents(
        of account: Address,
        from origin: Bytes32,
        at now: Timestamp
    ) -> (account: Int, origin: Int) {
        let pair = AccountOrigin(account: account, origin: origin)
        let ofAccount = accounts[account]?.left(at: now, of: Self.accountPlacesMax) ?? 0
        let ofOrigin = origins[pair]?.left(at: now, of: Self.originPlacesMax) ?? 0
        return (
            // By this alone nothing is refused.
            min(99, Int(ofAccount * 100 / Self.accountPlacesMax)),
            min(100, Int(ofOrigin * 100 / Self.originPlacesMax))
        )
    }

    /// Drops the emptier half of the entries if there are too many, so that it is done seldom.
    private static func trim<Key>(
        _ levels: inout [Key: Level],
        _ placesMax: Double,
        at now: Timestamp
    ) {
        guard levels.count > entriesMax else { return }
        let kept = levels.mapValues { $0.left(at: now, of: placesMax) }
            .sorted { $0.value > $1.value }
            .prefix(entriesMax / 2)
        levels = Dictionary(
            uniqueKeysWithValues: kept.lazy.filter { $0.value > 0 }
                .map { ($0.key, Level(places: $0.value, at: now)) }
        )
    }
}
