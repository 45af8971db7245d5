public import Foundation

/// A student of a round of a course, as the chain shows it to everybody.
public struct Student: Codable, Hashable, Sendable, DescribedType {
    public var account: String
    /// The name in the student's own profile, if this node has one; anybody can take any name.
    public var name: String?
    /// The number of the round, from 0.
    public var round: UInt64
    public var enrolledAt: Date
    /// `enrolled`, `rated` or `refunded`.
    public var state: String
    /// The student's evaluation: preparation, content, delivery, communication and overall.
    public var points: [UInt64]?

    package static let fields: [String: FieldFacts] = [
        "account": .address, "name": "ana", "round": .round, "state": "rated",
        "points": FieldFacts(90).about(
            "Five numbers: preparation, content, delivery, communication, overall."
        ),
    ]

    public init(
        account: String,
        name: String? = nil,
        round: UInt64,
        enrolledAt: Date,
        state: String,
        points: [UInt64]? = nil
    ) {
        (self.account, self.name, self.round) = (account, name, round)
        (self.enrolledAt, self.state, self.points) = (enrolledAt, state, points)
    }
}
