import Concurrency
import GossipProtocol
import Keys
import Logging
import Market
import NIOCore

/// Protocol names and limits of identify, by which peers describe themselves to each other.
///
/// Source: libp2p specs, "identify".
enum Identify {
    static let protocolID = "/ipfs/id/1.0.0"
    static let pushProtocolID = "/ipfs/id/push/1.0.0"
    static let protocolVersion = "stoa/1"
    static let messageBytesMax = 16_384
}

extension Links {
    /// Returns this node's description of itself for a peer.
    func description(for link: Link?) -> PeerDescription {
        let addresses = addresses
        place.look(at: shared.time())
        let record = PeerRecord(peer: localPeer, sequence: place.sequence, addresses: addresses)
        return PeerDescription(
            protocols: protocols,
            addresses: addresses,
            observedAddress: link?.address,
            protocolVersion: Identify.protocolVersion,
            agentVersion: agentVersion,
            sealedRecord: record.sealed(with: identity),
            record: record
        )
    }

    /// Pushes this node's description to every peer whenever its addresses have changed, until
    /// cancelled.
    ///
    /// Source: libp2p specs, "identify", section "identify/push"; Docs/operations.md, section 1.3.
    func followAddresses() async {
        var known = addresses
        while !Task.isCancelled {
            do { try await clock.wait(limits.addressInterval) } catch { return }
            lookAtInterfaces()
            let now = addresses
            guard now != known else { continue }
            known = now
            await announceIdentity()
        }
    }

    /// Pushes this node's description to every peer.
    package func announceIdentity() async {
        await withDiscardingTaskGroup { tasks in
            for link in table.values { tasks.addTask { await self.push(to: link) } }
        }
    }

    /// Asks a peer for its description, once the link is open.
    func identify(_ link: Link) async {
        do {
            let stream = try await open(protocols: [Identify.protocolID], to: link.peer)
            try await stream.closeWrite()
            try await takeDescription(stream, on: link)
        } catch {
            logger.debug(
                "peer does not identify itself",
                metadata: ["peer": "\(link.peer.text)", "reason": "\(error)"]
            )
        }
    }

    /// Counts a description that a peer asks for or sends, as each costs a signature or a check
    /// here.
    ///
    /// - Throws: ``LinkError/full(_:)``; the peer is charged only if it asked too often.
    func meterDescription(of link: Link) async throws(LinkError) {
        let group = AddressGroup(of: link.address)
        let now = Moment.ofEventLoops
        switch descriptionMeter.take(by: link.peer, of: group, at: now) {
        case .granted: return
        case .overdrawn: await events.send(.offended(link.peer, .tooManyQuestions))
        case .crowdedOut: break
        }
        throw .full(.streams)
    }

    func answerIdentify(_ stream: any PeerStream, on link: Link) async throws {
        let message = description(for: link).message(key: HostKey(identity.publicKey))
        try await stream.writeMessage(message, within: limits.negotiationMax)
        try await stream.closeWrite()
    }

    func takeDescription(_ stream: any PeerStream, on link: Link) async throws {
        var messages = stream.messages(bytesMax: Identify.messageBytesMax)
        guard let message = try await messages.next(within: limits.negotiationMax) else {
            throw LinkError.cutOff
        }
        let description = try PeerDescription(message, from: link.peer)
        await events.send(.identified(link.peer, description))
    }

    private func push(to link: Link) async {
        do {
            let stream = try await open(protocols: [Identify.pushProtocolID], to: link.peer)
            try await answerIdentify(stream, on: link)
        } catch {
            // Peers need not support push; they can ask instead.
            logger.trace("peer takes no push", metadata: ["peer": "\(link.peer.text)"])
        }
    }
}
