import Concurrency
import Market

/// A bounded queue of frames to one peer: the bound is all that a peer that does not read can cost.
///
/// Its bytes are taken from the budget that all outboxes share, and are given back when the outbox
/// ends or is released.
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

    /// Queues a frame of messages; `false` if there is no room.
    func offer(_ frame: [UInt8]) -> Bool { offer(frame, percent: 100) }

    /// Queues a frame that the peer must receive; `false` if it reads nothing at all.
    func insist(_ frame: [UInt8]) -> Bool { offer(frame, percent: 150) }

    /// Waits for the next frame, which keeps its room until `written`; `nil` at the end.
    func next() async -> [UInt8]? { await frames.receive() }

    /// Releases the room of a frame that was written, or never will be.
    func written(_ frame: [UInt8]) { share.give(frame.count) }

    /// Ends the outbox and drops its frames.
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
