package import Client
package import Foundation

extension Client.Event {
    /// Events before the one with this id are no longer stored; continue from its own id.
    package static func gap(before id: UInt64, at time: Date) -> Client.Event {
        Client.Event(id: max(id, 1) - 1, time: time, type: "gap", subject: "", data: [:])
    }
}
