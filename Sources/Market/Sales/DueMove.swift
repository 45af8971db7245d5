import Keys

/// A move that a passed deadline has opened to anyone, as seen by an account that gains by it.
package struct DueMove: Hashable, Sendable {
    /// The name of the move in the API, such as `claim`.
    package let name: String
    /// The move that the account must have allowed, if nobody is signed in.
    package let unattended: UnattendedMove
    /// The round that it is about; `nil` for a kind without rounds.
    package let round: UInt64?
    /// When it opened.
    package let since: ChainTime
    /// How many accounts gain more by it, or as much and rank first.
    ///
    /// All gaining accounts can make the move, and one of them is enough: the others wait longer.
    package let rank: Int

    package init(
        _ name: String,
        as unattended: UnattendedMove,
        round: UInt64? = nil,
        since: ChainTime,
        rank: Int
    ) {
        (self.name, self.unattended, self.round) = (name, unattended, round)
        (self.since, self.rank) = (since, rank)
    }

    /// Creates the move as `account` sees it; `nil` if the account gains nothing by it.
    ///
    /// - Parameters:
    ///   - name: The name of the move in the API.
    ///   - unattended: The move that the account must have allowed, if nobody is signed in.
    ///   - since: When it opened.
    ///   - account: The account that could make it.
    ///   - gains: The move's credit to each account; on a tie the earlier one comes first.
    init?(
        _ name: String,
        as unattended: UnattendedMove,
        since: ChainTime,
        by account: Address,
        gains: [(Address, Amount)]
    ) {
        let ranked = gains.filter { !$0.1.isZero }.enumerated()
            .sorted { ($1.element.1, $0.offset) < ($0.element.1, $1.offset) }
        guard let rank = ranked.firstIndex(where: { $0.element.0 == account }) else { return nil }
        self.init(name, as: unattended, since: since, rank: rank)
    }
}
