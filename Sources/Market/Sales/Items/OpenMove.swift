package import Texts

/// A move that an account can make now, with its limit and its consequence.
package struct OpenMove<Move: Hashable & Sendable>: Hashable, Sendable {
    package let move: Move
    /// It must be mined before this time; `nil` if no time ends it.
    package let before: ChainTime?
    /// The consequence, for the person who signs.
    package let consequence: [Sentence]

    package init(move: Move, before: ChainTime?, consequence: [Sentence]) {
        (self.move, self.before, self.consequence) = (move, before, consequence)
    }
}

/// The change at a deadline of one kind of sale.
package protocol DeadlineEffect: Hashable, Sendable {
    /// The effect of the deadline, for people.
    var consequence: Sentence { get }
}

/// The next time at which the possible moves change without a transaction, with the change.
package struct MoveDeadline<Effect: DeadlineEffect>: Hashable, Sendable {
    package let at: ChainTime
    package let effect: Effect

    package init(at: ChainTime, effect: Effect) { (self.at, self.effect) = (at, effect) }

    /// The deadline with its consequence for people.
    package var described: SaleDeadline {
        SaleDeadline(at: at, consequence: [effect.consequence])
    }
}

/// The moves that an account can make, and the next deadline if it makes none.
package struct MoveOutlook<Move: Hashable & Sendable, Effect: DeadlineEffect>: Hashable, Sendable {
    package let role: SaleRole
    package let moves: [OpenMove<Move>]
    /// `nil` if there is no further deadline.
    package let next: MoveDeadline<Effect>?

    package init(role: SaleRole, moves: [OpenMove<Move>], next: MoveDeadline<Effect>?) {
        (self.role, self.moves, self.next) = (role, moves, next)
    }
}
