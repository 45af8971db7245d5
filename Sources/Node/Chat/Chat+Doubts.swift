import Concurrency
import Keys
import Market
import Storage

/// An envelope whose sender's account is not known to have certified the device that signed.
struct Doubt: Sendable {
    let sender: Address
    let device: PublicKey
    /// How often others were asked for the sender in vain, on behalf of this envelope.
    var searches = 0
    /// When it is looked at again.
    var next: Timestamp
}

/// Mail of senders who are not known here yet: asks for them, for a while.
extension Chat {
    /// Whether the account certified the device, as far as is known here.
    func isCertified(_ device: PublicKey, of account: Address) throws -> Bool {
        let slot = DeviceCertificate.slot(of: device)
        return try store.read { try $0.deviceKey(slot, of: account) } == device
    }

    /// Leaves an envelope for later, and has its sender asked for.
    ///
    /// - Returns: Whether it stays; not if others were asked for its sender often enough.
    func doubt(_ envelope: EnvelopeKey, _ message: MailMessage) -> Bool {
        let known = doubts[envelope]
        guard known.map({ $0.searches < settings.searchesMax }) ?? true else {
            doubts[envelope] = nil
            return false
        }
        if known == nil, doubts.count >= 10_000 { doubts = [:] }
        var doubt = known ?? Doubt(sender: message.sender, device: message.device, next: now)
        // Until it is known what the search finds.
        doubt.next = now.advanced(by: settings.seekInterval)
        doubts[envelope] = doubt
        if strangers[message.sender] != nil || strangers.count < settings.strangersMax {
            strangers[message.sender, default: []].insert(envelope)
        }
        return true
    }

    /// Asks for those whose mail cannot be proved yet, and has it looked at again if it can be now
    /// or if that was the last time.
    ///
    /// Only what somebody has answered counts: a node that reaches nobody drops no mail for it.
    func findStrangers() async {
        let sought = strangers
        strangers = [:]
        await each(Array(sought.keys)) { sender in
            let isAnswered = await self.find(sender)
            await self.attempt("prove a sender") {
                try await self.settle(sought[sender] ?? [], isAnswered: isAnswered)
            }
        }
    }

    private func settle(_ envelopes: Set<EnvelopeKey>, isAnswered: Bool) throws {
        var isDue = false
        for envelope in envelopes {
            guard var doubt = doubts[envelope] else { continue }
            if try isCertified(doubt.device, of: doubt.sender) {
                doubt.next = now
            } else if isAnswered {
                doubt.searches += 1
                let isLast = doubt.searches >= settings.searchesMax
                let wait = settings.retryMin * (1 << doubt.searches)
                doubt.next = isLast ? now : now.advanced(by: wait)
            }
            doubts[envelope] = doubt
            isDue = isDue || doubt.next <= now
            // It may have been looked at again while others were asked.
            if isAnswered { strangers[doubt.sender]?.remove(envelope) }
        }
        if isDue { mailStore.arrivals.send() }
    }
}
