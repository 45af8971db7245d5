/// How many frames of one stream may be on their way to the service.
///
/// All peers' frames share one inbox, first come, first served. A peer that has few in it keeps no
/// other waiting for longer than these take, however fast it sends; and while the service holds its
/// turns, nothing of it is read.
final class FrameLimiter: Sendable {
    /// Leave for one frame, until it is let go of.
    final class Permit: Sendable {
        private let turns: FrameLimiter

        fileprivate init(_ turns: FrameLimiter) { self.turns = turns }

        deinit { _ = turns.taken.poll() }
    }

    private let taken: BoundedQueue<Void>

    init(countMax: Int) {
        taken = BoundedQueue(elementsMax: countMax)
    }

    /// Waits until one more frame may be read.
    ///
    /// - Throws: `CancellationError`
    func take() async throws -> Permit {
        guard await taken.send(()) else { throw CancellationError() }
        return Permit(self)
    }
}
