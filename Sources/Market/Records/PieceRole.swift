package import Keys

/// The role of a listing among several pieces of one thing.
///
/// Each piece is a listing with a sale of its own, so that everything that is true of a listing is
/// true of a piece: promise, price, reviews. The slots of the others follow from that of the first
/// one, so that each finds the others without an index.
///
/// Source: Docs/protocol.md, section 5.7.
package enum PieceRole: Hashable, Sendable {
    /// The first piece, whose listing stands for all of them.
    case first(count: Int)
    /// One of the others; the slot of the first one.
    case further(of: Bytes32)

    package static let countMax = 20

    /// Returns the slot of a piece, by its number from 1; the first piece has number 0 and a slot
    /// of its own choice.
    package static func slot(_ number: Int, of first: Bytes32) -> Bytes32 {
        precondition((1..<countMax).contains(number), "there is no piece \(number)")
        return Keccak256.hash([UInt8]("stoa piece".utf8) + first.bytes + [UInt8(number)])
    }

    /// Returns whether a listing in `slot` can have this role.
    func isPossible(in slot: Bytes32) -> Bool {
        guard case .further(let first) = self else { return true }
        return (1..<Self.countMax).contains { Self.slot($0, of: first) == slot }
    }
}
