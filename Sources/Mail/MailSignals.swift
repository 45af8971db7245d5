import Concurrency

/// The events that wake the loops of mail; each loop checks everything that is due when it wakes.
struct MailSignals: Sendable {
    /// For the receiver: mail, or something that it waited for, has arrived, or a receipt is owed.
    let incoming: Broadcast<Void>
    /// For the sender: the outbox has changed.
    let outgoing = Broadcast<Void>()
    /// For the part that exchanges data with homes: a vault, grants or records have changed, or a
    /// sender is unknown.
    let homes = Broadcast<Void>()

    /// Begins with the signal of the store in which mail arrives.
    init(arrivals: Broadcast<Void>) { incoming = arrivals }

    /// Wakes all loops.
    func sendAll() {
        for signal in [incoming, outgoing, homes] { signal.send() }
    }
}
