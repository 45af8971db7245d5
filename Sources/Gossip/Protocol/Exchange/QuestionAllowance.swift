package import Market

/// How many questions for records peers may still put before their answers wait.
///
/// All keys of one address together may put four times as many as one; on this machine each key
/// counts alone. It outlives streams and links.
///
/// Pure: it is told the time.
package struct QuestionAllowance: Sendable {
    private static let countMax = 4_096
    private static let keysOfOneAddress = 4

    private var peers: TokenBuckets<PeerID>
    private var groups: TokenBuckets<AddressGroup>

    package init(limits: ExchangeLimits) {
        let interval = Duration.seconds(1) / limits.questionsPerSecond
        peers = TokenBuckets(
            .init(burst: limits.questionsBurst, every: interval),
            countMax: Self.countMax
        )
        groups = TokenBuckets(
            .init(
                burst: limits.questionsBurst * Self.keysOfOneAddress,
                every: interval / Self.keysOfOneAddress
            ),
            countMax: Self.countMax
        )
    }

    /// Takes one question off what a peer and its address may put; `false`, and nothing is taken,
    /// if either has to wait.
    package mutating func take(
        by peer: PeerID,
        of group: AddressGroup?,
        at now: Moment
    ) -> Bool {
        if let group, groups.level(of: group, at: now) < 1 { return false }
        guard peers.take(of: peer, at: now) else { return false }
        return group.map { groups.take(of: $0, at: now) } ?? true
    }
}
