import Concurrency
import Keys
import Logging
import Market
import NIOCore

/// The names and bounds of telling peers who we are.
///
/// Source: libp2p specs, "identify".
enum Identify {
    static let protocolID = "/ipfs/id/1.0.0"
    static let pushProtocolID = "/ipfs/id/push/1.0.0"
    static let protocolVersion = "stoa/1"
    static let messageBytesMax = 16_384
}

extension Links {
    /// What this node tells a peer of itself.
    func description(for link: Link?) -> PeerDescription {
        let addresses = addresses
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

    /// Tells every peer what changed: addresses, or protocols.
    package func announceIdentity() async {
        await withDiscardingTaskGroup { tasks in
            for link in table.values { tasks.addTask { await self.push(to: link) } }
        }
    }

    /// Asks a peer who it is, once its link is open.
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

    /// Counts a description that a peer asks for or sends: each is signed or verified here.
    ///
    /// - Throws: ``LinkError/full(_:)``; the peer is charged if it was itself that asked too often.
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
            // A peer need not listen to this; it asks when it wants to know.
            logger.trace("peer takes no push", metadata: ["peer": "\(link.peer.text)"])
        }
    }
}
