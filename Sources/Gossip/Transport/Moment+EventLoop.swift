import GossipProtocol
import NIOCore

extension Moment {
    /// Now, on the clock of event loops.
    static var ofEventLoops: Moment { Moment(NIODeadline.now()) }

    /// The same point in time, on the clock of event loops.
    init(_ deadline: NIODeadline) {
        self.init(sinceStart: .nanoseconds(Int64(deadline.uptimeNanoseconds)))
    }
}
