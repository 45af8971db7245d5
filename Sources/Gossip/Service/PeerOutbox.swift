import Concurrency
import Market

/// A bounded queue of frames to one peer, so that a peer that does not read costs no more.
///
/// Its bytes are a share of what all such queues may hold together, and are given back when the
/// line ends or is let go of.
final class PeerOutbox: Sendable {
    let peer: PeerID

    private let bytesMax: Int
    private let frames: BoundedQueue<[UInt8]>
    private let share: OutboxBudget.Share

    init(peer: PeerID, settings: GossipSettings, budget: OutboxBudget) {
        self.peer = peer
        bytesMax = settings.outboxBytesMax
        frames = BoundedQueue(elementsMax: settings.outboxFramesMax)
        share = budget.share()
    }

    /// Queues a frame of messages; `false` if there is no room for it.
    func offer(_ frame: [UInt8]) -> Bool { offer(frame, percent: 100) }

    /// Queues a frame that the peer must have; `false` if it reads nothing at all.
    func insist(_ frame: [UInt8]) -> Bool { offer(frame, percent: 150) }

    /// Takes the next frame, which holds its room until it is `written`; `nil` at the end.
    func next() async -> [UInt8]? { await frames.receive() }

    /// The peer has taken a frame, or never will.
    func written(_ frame: [UInt8]) { share.give(frame.count) }

    /// Takes no more frames, and drops those that are left.
    func end() {
        frames.finish()
        while frames.poll() != nil {}
        share.giveBack()
    }

    private func offer(_ frame: [UInt8], percent: Int) -> Bool {
        guard share.take(frame.count, upTo: bytesMax, percent: percent) else { return false }
        if frames.offer(frame) { return true }
        share.give(frame.count)
        return false
    }
}
