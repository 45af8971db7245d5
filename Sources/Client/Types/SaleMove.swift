public import Foundation
public import Texts

/// A move that is open to the caller.
public struct SaleAction: Codable, Hashable, Sendable, DescribedType {
    /// The name of the move.
    ///
    /// For an escrow: `buy`, `abort`, `decline`, `relist`, `transfer`, `confirm`, `refund`,
    /// `dispute`, `claim`, `propose`, `withdraw_proposal`, `agree`, `take`, `rule` or
    /// `execute_default`. For an auction: `bid`, `abort` or `end`. For a direct sale: `pay` or
    /// `abort`. For a course: `enrol`, `leave`, `begin`, `cancel`, `refund`, `evaluate`, `settle`
    /// or `repeat`. `buy`, `bid`, `pay` and `enrol` are made by a ``Purchase``.
    public var move: String
    /// For `agree`: the seller's share that the other side proposes, in basis points.
    public var share: UInt64?
    /// For a course: the number of the round that it is about.
    public var round: UInt64?
    public var until: Date?
    /// The effect on the caller's money.
    public var consequence: [Sentence]

    package static let fields: [String: FieldFacts] = [
        "move": "agree", "share": .share, "round": .round, "until": .until,
        "consequence": .consequence,
    ]

    public init(
        move: String,
        share: UInt64? = nil,
        round: UInt64? = nil,
        until: Date?,
        consequence: [Sentence]
    ) {
        (self.move, self.share, self.round) = (move, share, round)
        (self.until, self.consequence) = (until, consequence)
    }
}

/// Asks for a move in a sale.
public struct SaleMove: Codable, Hashable, Sendable, DescribedType {
    public var move: String
    /// The seller's share in basis points, for `propose`, `agree` and `rule`.
    ///
    /// `agree` accepts the other side's proposal of exactly this share, and nothing else.
    public var share: UInt64?
    /// For `propose`: until when the other side can agree, in seconds since 1970 on the chain's
    /// clock; at most 60 days ahead.
    ///
    /// `nil` is three days from now.
    public var until: UInt64?
    /// For a course: the round as ``ActionPreview/round`` showed it; `nil` is the first in which
    /// the move is open.
    public var round: UInt64?
    /// For `evaluate`: five numbers from 0 to 100, for preparation, content, delivery,
    /// communication and overall.
    public var points: [UInt64]?
    /// For `repeat`: the price of a seat in the new round; `nil` is that of the last round.
    public var price: Money?
    /// For `repeat`: the terms of the new round.
    public var course: CourseTerms?
    /// A note for the other side, such as the reason for a dispute; `nil` for none.
    ///
    /// The node keeps it with the move, and sends it, sealed, once the move is final.
    public var note: String?
    /// The ids of at most six pictures that the account has added, which go with the note; `nil`
    /// for none.
    public var pictures: [String]?
    /// Whether one endpoint's answer is enough while no second one answers.
    public var acceptsOneSource: Bool?

    package static let fields: [String: FieldFacts] = [
        "move": "propose", "share": .share,
        "until": .seconds.about(
            "For a proposal: when it expires, in seconds since 1970 on the chain's clock."
        ),
        "round": .round,
        "points": .points.counts(5...5).about(
            "Five numbers: preparation, content, delivery, communication, overall."
        ),
        "note": .note.about(
            "What the node sends the other side, sealed, once the move is final; in a dispute that "
                + "the arbiter takes, the arbiter gets it too."
        ),
        "pictures": .hash.counts(0...6).about(
            "Pictures that the account has added, such as of a damage, which go with the note."
        ),
        "acceptsOneSource": .acceptsOneSource,
    ]

    public init(
        move: String,
        share: UInt64? = nil,
        until: UInt64? = nil,
        round: UInt64? = nil,
        points: [UInt64]? = nil,
        price: Money? = nil,
        course: CourseTerms? = nil,
        note: String? = nil,
        pictures: [String]? = nil,
        acceptsOneSource: Bool? = nil
    ) {
        self.move = move
        self.share = share
        self.until = until
        self.round = round
        self.points = points
        self.price = price
        self.course = course
        (self.note, self.pictures) = (note, pictures)
        self.acceptsOneSource = acceptsOneSource
    }
}
