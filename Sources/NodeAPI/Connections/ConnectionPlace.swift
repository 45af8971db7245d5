/// A connection's slot at its port, from its admission to its end.
///
/// Its handlers say whose turn it is, because a connection whose client sends nothing may lose its
/// slot to another.
final class ConnectionPlace: Sendable {
    let number: UInt64
    private let admission: ConnectionAdmission

    init(number: UInt64, admission: ConnectionAdmission) {
        (self.number, self.admission) = (number, admission)
    }

    /// Records that the client has to send or to read something now.
    func wait() { admission.change { [number] in $0.wait(number) } }

    /// Records that the node is processing the client's request.
    func work() { admission.change { [number] in $0.work(number) } }

    /// Records that the client is the operator: it keeps its slot.
    func trust() { admission.change { [number] in $0.trust(number) } }

    /// Records that the connection has become a WebSocket, which has a slot of its own kind.
    func becomeSocket() { admission.change { [number] in $0.becomeSocket(number) } }

    /// Releases the slot.
    func leave() { admission.leave(number) }
}
