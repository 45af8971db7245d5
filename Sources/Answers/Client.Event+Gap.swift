package import Client
import Concurrency

extension Client.Event {
    /// Says that events before the one with this id are not kept; its own id is where to continue.
    package static func gap(before id: UInt64) -> Client.Event {
        let time = SystemWallClock().now
        return Client.Event(id: max(id, 1) - 1, time: time, type: "gap", subject: "", data: [:])
    }
}
