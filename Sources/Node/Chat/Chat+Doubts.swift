import Concurrency
import Keys
import Market
import Storage

/// An envelope whose sender is not known here to have certified the device that signed.
struct Doubt: Sendable {
    let sender: Address
    let device: PublicKey
    /// The number of answered searches for the sender that found no certificate.
    var searches = 0
    /// When the envelope is looked at again.
    var next: Timestamp
}

/// Asks other nodes, for a while, for senders of mail that are not known here yet.
extension Chat {
    /// Returns whether the account certified the device, as far as this node knows.
    func isCertified(_ device: PublicKey, of account: Address) throws -> Bool {
        let slot = DeviceCertificate.slot(of: device)
        return try store.read { try $0.deviceKey(slot, of: account) } == device
    }

    /// Leaves an envelope for later, and has its sender asked for.
    ///
    /// - Returns: Whether the envelope stays; `false` if its sender was asked for often enough.
    func doubt(_ envelope: EnvelopeKey, _ message: MailMessage) -> Bool {
        let known = doubts[envelope]
        guard known.map({ $0.searches < settings.senderLookupsMax }) ?? true else {
            doubts[envelope] = nil
            return false
        }
        if known == nil, doubts.count >= 10_000 { doubts = [:] }
        var doubt = known ?? Doubt(sender: message.sender, device: message.device, next: now)
        // The result of the search replaces this.
        doubt.next = now.advanced(by: settings.lookupInterval)
        doubts[envelope] = doubt
        if strangers[message.sender] != nil || strangers.count < settings.unknownSendersMax {
            strangers[message.sender, default: []].insert(envelope)
        }
        return true
    }

    /// Asks other nodes for the senders of unproved envelopes.
    ///
    /// An envelope becomes due again when its sender can be proved, or after the last search. Only
    /// answered searches count: a node that reaches nobody drops no mail for that reason.
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
                let isLast = doubt.searches >= settings.senderLookupsMax
                let wait = settings.retryMin * (1 << doubt.searches)
                doubt.next = isLast ? now : now.advanced(by: wait)
            }
            doubts[envelope] = doubt
            isDue = isDue || doubt.next <= now
            // The envelope may have been looked at again during the search.
            if isAnswered { strangers[doubt.sender]?.remove(envelope) }
        }
        if isDue { mailStore.arrivals.send() }
    }
}
