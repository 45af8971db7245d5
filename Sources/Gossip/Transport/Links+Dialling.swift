import Concurrency
package import GossipProtocol
package import Market
import NIOCore
import NIOPosix
import Synchronization

/// Outgoing links, and the resolution of host names.
extension Links {
    package nonisolated func resolve(
        _ address: Multiaddr,
        isOwn: Bool
    ) async -> [Multiaddr] {
        if let ipAddress = address.ipAddress { return [address.at(ipAddress)] }
        let all = await resolver.addresses(of: address.hostText, isOwn: isOwn)
        return all.filter { address.isOfItsKind($0) }.prefix(limits.addressesPerNameMax)
            .map { address.at($0) }
    }

    package func dial(_ address: Multiaddr, isReported: Bool) async throws -> PeerID {
        if address.peer == localPeer { throw LinkError.ownAddress }
        if let peer = address.peer, table[peer] != nil { return peer }
        let dial = Dial(address: address, isReported: isReported)
        if let others = dials[dial] { return try await others.get() }
        let done = group.next().makePromise(of: PeerID.self)
        dials[dial] = done.futureResult
        defer { dials[dial] = nil }
        do {
            let peer = try await connect(to: address, isReported: isReported)
            done.succeed(peer)
            return peer
        } catch {
            done.fail(error)
            throw error
        }
    }

    /// Connects to the first address of a name that answers.
    private func connect(to address: Multiaddr, isReported: Bool) async throws -> PeerID {
        // Names reported by other peers are resolved before dialling, so a name here is the
        // operator's.
        let targets = await resolve(address, isOwn: !isReported)
        var failure = LinkError.unreachable(address, reason: "its name is not known")
        for target in targets {
            do {
                return try await connect(toResolved: target, isReported: isReported)
            } catch let error as LinkError {
                guard case .unreachable(_, let reason) = error else { throw error }
                failure = .unreachable(address, reason: reason)
            }
        }
        throw failure
    }

    private func connect(toResolved address: Multiaddr, isReported: Bool) async throws -> PeerID {
        let admitted = try isReported ? admission.beginReported() : admission.begin(from: nil)
        let socket = try await connectSocket(to: address)
        let opening = watch(socket, in: admitted)
        let link = try await withTaskCancellationHandler {
            do {
                return makeLink(socket, try await opening.get(), .outbound, isReported: isReported)
            } catch let error as LinkEnd {
                throw LinkError.linkEnded(error)
            }
        } onCancel: {
            socket.end(.stopped)
        }
        if link.peer == localPeer {
            socket.end(.stopped)
            link.closed.finish()
            throw LinkError.ownAddress
        }
        let (isKept, predecessor) = register(link)
        if isKept, !arrivals.offer(.dialled(link, after: predecessor)) {
            socket.end(.stopped)
            closeGracefully(link)
            throw LinkError.linkEnded(.stopped)
        }
        return link.peer
    }

    private func connectSocket(to address: Multiaddr) async throws -> LinkSocket {
        let bootstrap = ClientBootstrap(group: group)
            .connectTimeout(TimeAmount(limits.connectMax))
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .channelOption(.maxMessagesPerRead, value: 1)
            .channelOption(.recvAllocator, value: readBuffers)
            .channelOption(.writeBufferWaterMark, value: waterMark)
        let connecting = Mutex<(any Channel)?>(nil)
        do {
            let shared = shared
            return try await withTaskCancellationHandler {
                try await bootstrap.connect(
                    host: address.hostText,
                    port: Int(address.port)
                ) { channel in
                    connecting.withLock { $0 = channel }
                    return channel.eventLoop.makeCompletedFuture {
                        try LinkSocket.make(
                            on: channel,
                            shared: shared,
                            role: .dialer,
                            expecting: address.peer,
                            remote: address.expecting(nil)
                        )
                    }
                }
            } onCancel: {
                connecting.withLock { $0 }?.close(promise: nil)
            }
        } catch {
            throw LinkError.unreachable(address, reason: socketReason(error))
        }
    }
}
