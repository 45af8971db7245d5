/// How many small pieces a link's peer may make this node read.
///
/// A piece is a frame of the multiplexer, or a record of TLS. Each costs this node the same work
/// whether it carries something or not, and its sender next to none. Data gives its share back, so
/// a link that carries data never has a piece too many.
///
/// Pure: the caller passes in the time. One read may return more than is left; the allowance is
/// then below zero until it has regained as much.
///
/// Source: Docs/protocol.md, section 7.4.1.
package struct FrameAllowance: Sendable {
    private let limits: LinkLimits
    private var level: Double
    private var at = Moment.start

    package init(limits: LinkLimits) {
        self.limits = limits
        level = Double(limits.piecesBurst)
    }

    /// Counts pieces that were read.
    package mutating func take(_ pieces: Int, at now: Moment) {
        let seconds = max(.zero, now.sinceStart - at.sinceStart) / Duration.seconds(1)
        at = now
        let refilled = level + seconds * Double(limits.piecesPerSecond)
        level = min(Double(limits.piecesBurst), refilled) - Double(pieces)
    }

    /// Counts bytes of data, in either direction.
    package mutating func giveBack(bytes: Int) {
        let share = Double(bytes) / Double(limits.bytesOfOnePiece)
        level = min(Double(limits.piecesBurst), level + share)
    }

    /// How long nothing must be read, if more was read than allowed; `nil` if not.
    ///
    /// An eighth of the burst is available again after it, so a link is not read piece by piece.
    package var pause: Duration? {
        guard level < 0 else { return nil }
        let missing = Double(limits.piecesBurst) / 8 - level
        return .seconds(missing / Double(limits.piecesPerSecond))
    }
}
