public import Foundation

/// The moves that the node makes for an account while nobody is signed in.
public struct UnattendedMoves: Codable, Hashable, Sendable, DescribedType {
    /// Some of `deliver`, `claim`, `end` and `refund`; empty if the account is not left alone.
    public var moves: [String]
    /// When it ends; `nil` if the account is not left alone.
    public var until: Date?
    /// Whether the file with the account's sealed key is damaged or was changed, so that it allows
    /// nothing; `nil` if not.
    public var isDamaged: Bool?

    package static let fields: [String: FieldFacts] = [
        "isDamaged": FieldFacts(false).about(
            "Whether the file with the sealed key is damaged or was changed, so that it allows "
                + "nothing; null if not. Leave the account alone again, or end it."
        ),
        "moves": .unattendedMove.about("Empty if the account is not left alone."),
        "until": .about("When it ends; null if the account is not left alone."),
    ]

    public init(moves: [String], until: Date? = nil, isDamaged: Bool? = nil) {
        (self.moves, self.until, self.isDamaged) = (moves, until, isDamaged)
    }
}

/// Asks the node to make moves for an account while nobody is signed in.
public struct UnattendedRequest: Codable, Hashable, Sendable, DescribedType {
    public var password: String
    /// One or more of `deliver`, `claim`, `end` and `refund`.
    public var moves: [String]
    /// For how long from now.
    public var seconds: UInt64

    /// The moves that there are.
    package static let known = ["deliver", "claim", "end", "refund"]
    /// A year.
    package static let secondsMax = 31_536_000

    package static let fields: [String: FieldFacts] = [
        "password": "right horse",
        "moves": .unattendedMove.counts(1...known.count),
        "seconds": FieldFacts(5_184_000).numbers(1...secondsMax).about("For how long from now."),
    ]

    public init(password: String, moves: [String], seconds: UInt64) {
        (self.password, self.moves, self.seconds) = (password, moves, seconds)
    }
}

extension FieldFacts {
    fileprivate static let unattendedMove = FieldFacts("deliver")
        .oneOf(UnattendedRequest.known)
}
