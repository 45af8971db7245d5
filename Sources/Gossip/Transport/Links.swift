package import Concurrency
package import GossipProtocol
package import Keys
package import Logging
package import Market
package import NIOCore
import NIOPosix

/// The node's links over TCP and TLS: one per peer, with many streams each.
///
/// `run()` serves them; until it runs, nothing is answered. Of two links to one peer the newer
/// stays; if both sides dialled at once, the link dialled by the smaller peer id stays.
///
/// Source: Docs/protocol.md, section 7 "Transport".
package actor Links: PeerLinks {
    typealias StreamHandler = @Sendable (any PeerStream) async throws -> Void

    /// A link that waits to be served.
    enum Arrival: Sendable {
        case accepted(Link)
        case dialled(Link, after: Link?)
    }

    /// A running dial, shared by all callers that dial the same address.
    struct Dial: Hashable {
        let address: Multiaddr
        let isReported: Bool
    }

    package nonisolated let localPeer: PeerID
    package nonisolated let events: BoundedQueue<LinkEvent>
    package nonisolated let bannedAddresses = BannedAddresses()

    let identity: PrivateKey
    let limits: LinkLimits
    let agentVersion: String
    nonisolated let clock: any MonotonicClock
    let logger: Logger
    var answers: [String: StreamHandler] = [:]
    var deliveryCounts: @Sendable () async -> [PeerID: Int] = { [:] }
    var table: [PeerID: Link] = [:]
    /// The last link to each peer until its `closed` event was sent; the next `opened` follows it.
    var last: [PeerID: Link] = [:]
    var place: AdvertisedAddresses
    let identifications: StreamCount
    let descriptions: StreamCount
    let pings: StreamCount
    var descriptionMeter: PeerMeter
    /// The links that others began lately.
    var beginnings = LinkBeginnings()

    nonisolated let resolver: NameResolver
    let group: any EventLoopGroup
    let shared: LinkChannel.Shared
    let admission: Admission
    private nonisolated let endCounts = LinkEndCounts()
    nonisolated let arrivals: BoundedQueue<Arrival>
    private var listeners: [any Channel] = []
    var dials: [Dial: EventLoopFuture<PeerID>] = [:]

    /// Prepares links for the node whose key is `identity`.
    ///
    /// - Parameters:
    /// - identity: The node's key, from which its peer id is derived.
    /// - agentVersion: The program's name in identify messages, such as `stoa/0.2.0`.
    /// - limits: Bounds on the resources that other peers can make this node spend.
    /// - group: Runs the sockets.
    /// - time: Unix time in seconds.
    /// - clock: Measures pauses; the sockets' own limits go by their event loop.
    /// - resolver: Resolves the host names in addresses.
    /// - logger: Receives opened and ended links.
    /// - Throws: ``TLSError`` if OpenSSL cannot make a certificate.
    package init(
        identity: PrivateKey,
        agentVersion: String,
        limits: LinkLimits = LinkLimits(),
        group: any EventLoopGroup = MultiThreadedEventLoopGroup.singleton,
        time: @escaping @Sendable () -> Int64 = SystemWallClock.seconds,
        clock: any MonotonicClock = .system,
        resolver: NameResolver = NameResolver(),
        logger: Logger
    ) throws {
        let credentials = try TLSCredentials(identity: identity)
        self.init(
            identity: identity,
            credentials: credentials,
            agentVersion: agentVersion,
            limits: limits,
            group: group,
            time: time,
            clock: clock,
            resolver: resolver,
            logger: logger
        )
    }

    init(
        identity: PrivateKey,
        credentials: TLSCredentials,
        agentVersion: String,
        limits: LinkLimits,
        group: any EventLoopGroup,
        time: @escaping @Sendable () -> Int64,
        clock: any MonotonicClock = .system,
        resolver: NameResolver = NameResolver(),
        logger: Logger
    ) {
        limits.check()
        self.identity = identity
        self.agentVersion = agentVersion
        self.limits = limits
        self.group = group
        (self.clock, self.resolver) = (clock, resolver)
        self.logger = logger
        let localPeer = HostKey(identity.publicKey).peer
        self.localPeer = localPeer
        place = AdvertisedAddresses(peer: localPeer, startedAt: time())
        identifications = StreamCount(perPeerMax: limits.ownStreamsPerPeerMax)
        descriptions = StreamCount(perPeerMax: limits.ownStreamsPerPeerMax)
        pings = StreamCount(perPeerMax: limits.ownStreamsPerPeerMax)
        descriptionMeter = PeerMeter(
            burst: limits.descriptionsBurst,
            every: limits.descriptionInterval
        )
        events = BoundedQueue(elementsMax: limits.eventsMax)
        arrivals = BoundedQueue(elementsMax: limits.linksMax)
        admission = Admission(limits: limits)
        shared = LinkChannel.Shared(
            limits: limits,
            credentials: credentials,
            budget: NodeBudget(limits: limits),
            time: time
        )
    }

    /// Counts of ended links by reason, refused handshakes included.
    package nonisolated var endings: [String: Int] { endCounts.all }

    package nonisolated var audit: NodeBudget.Audit { shared.budget.audit }

    package func handle(
        protocol protocolID: String,
        _ body: @escaping @Sendable (any PeerStream) async throws -> Void
    ) {
        answers[protocolID] = body
    }

    package func rankLinks(by deliveryCounts: @escaping @Sendable () async -> [PeerID: Int]) {
        self.deliveryCounts = deliveryCounts
    }

    /// Binds an IP address as it is: a resolver refuses IPv6 addresses on a machine that has only
    /// the loopback one, although it can listen on `::`.
    private func bind(
        _ bootstrap: ServerBootstrap,
        to address: Multiaddr
    ) async throws -> any Channel {
        let (host, port) = (address.hostText, Int(address.port))
        guard let literal = try? SocketAddress(ipAddress: host, port: port) else {
            return try await bootstrap.bind(host: host, port: port).get()
        }
        return try await bootstrap.bind(to: literal).get()
    }

    /// Accepts links at `address`, whose port may be 0.
    ///
    /// - Returns: The addresses at which peers reach the listener, with this node's peer id: those
    ///   of the machine's interfaces if `address` means all of them.
    /// - Throws: ``LinkError/cannotListen(_:reason:)``
    package func listen(on address: Multiaddr) async throws -> [Multiaddr] {
        let bootstrap = ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: 256)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelOption(.maxMessagesPerRead, value: 1)
            .childChannelOption(.recvAllocator, value: readBuffers)
            .childChannelOption(.writeBufferWaterMark, value: waterMark)
            .childChannelInitializer { [self] channel in accept(channel) }
        let listener: any Channel
        do {
            listener = try await bind(bootstrap, to: address)
        } catch {
            throw LinkError.cannotListen(address, reason: socketReason(error))
        }
        listeners.append(listener)
        guard let bound = listener.localAddress.flatMap(Multiaddr.init) else { return [] }
        place.listening.append(bound)
        let machine = Interfaces.addresses()
        place.look(at: machine)
        return AdvertisedAddresses.dialled(bound, localPeer, by: machine)
    }

    /// Announces these addresses instead of the listening ones, for example behind a router.
    package func announce(_ addresses: [Multiaddr]) {
        place.announced = addresses.map { $0.expecting(localPeer) }
        lookAtInterfaces()
    }

    /// The addresses this node announces, each with its peer id.
    ///
    /// They are those of the last look at the machine's interfaces: every peer that links asks for
    /// them, and the system takes long to list many.
    package var addresses: [Multiaddr] { place.addresses }

    /// Computes the addresses again from the machine's interfaces.
    func lookAtInterfaces() { place.look(at: Interfaces.addresses()) }

    package func open(protocols: [String], to peer: PeerID) async throws -> any PeerStream {
        while let link = table[peer] {
            if let port = try await link.socket.open() {
                return try await LinkStream.negotiate(
                    .dialer(protocols),
                    protocols,
                    on: port,
                    with: peer,
                    within: limits.negotiationMax
                )
            }
            // If another link has replaced it in the meantime, try that one.
            if table[peer]?.isSame(as: link) == true { throw LinkError.full(.streams) }
        }
        throw LinkError.notLinked(peer)
    }

    package func disconnect(_ peer: PeerID, reason: LinkEnd) {
        table[peer]?.socket.end(reason)
    }

    package func links() async -> [LinkInfo] {
        var infos: [LinkInfo] = []
        for link in table.values { infos.append(await link.countedInfo) }
        return infos
    }

    package func link(to peer: PeerID) -> LinkInfo? { table[peer]?.info }

    package func run() async throws {
        await withDiscardingTaskGroup { tasks in
            tasks.addTask { await self.followAddresses() }
            while let arrival = await arrivals.receive() {
                switch arrival {
                case .dialled(let link, let predecessor):
                    tasks.addTask { await self.serve(link, after: predecessor) }
                    if link.isReported { await makeRoom() }
                case .accepted(let link):
                    noteBeginning(of: link)
                    let (isKept, predecessor) = register(link)
                    guard isKept else { continue }
                    tasks.addTask { await self.serve(link, after: predecessor) }
                    await makeRoom()
                }
            }
            arrivals.finish()
            // Accepted links that were not served yet; dialled ones are in the table.
            while let arrival = arrivals.poll() {
                if case .accepted(let link) = arrival { link.socket.end(.stopped) }
            }
            for listener in listeners { listener.close(promise: nil) }
            for link in table.values { link.socket.end(.stopped) }
            tasks.cancelAll()
        }
        // The handlers and these links reference each other; this breaks the cycle.
        answers = [:]
        events.finish()
    }

    var waterMark: ChannelOptions.Types.WriteBufferWaterMark {
        .init(low: limits.socketBytesLow, high: limits.socketBytesHigh)
    }

    /// Buffers for one read of a socket.
    var readBuffers: AdaptiveRecvByteBufferAllocator {
        .init(minimum: 1_024, initial: 2_048, maximum: limits.readBytesMax)
    }

    private nonisolated func accept(_ channel: any Channel) -> EventLoopFuture<Void> {
        guard let remote = channel.remoteAddress.flatMap(Multiaddr.init),
            let source = remote.ipAddress
        else { return channel.close() }
        if bannedAddresses.contains(source) {
            endCounts.count(.refused(.banned))
            return channel.close()
        }
        let admitted: AdmissionSlot
        do throws(LinkError) {
            admitted = try admission.begin(from: source)
        } catch {
            if case .full(let limit) = error { endCounts.count(.refused(limit)) }
            return channel.close()
        }
        let shared = shared
        return channel.eventLoop.makeCompletedFuture {
            let socket = try LinkSocket.make(
                on: channel,
                shared: shared,
                role: .listener,
                expecting: nil,
                remote: remote
            )
            admitted.onEviction { socket.end(.refused(.handshakes)) }
            watch(socket, in: admitted).whenSuccess { key in
                let link = self.makeLink(socket, key, .inbound)
                if !self.arrivals.offer(.accepted(link)) {
                    link.closed.finish()
                    socket.end(.refused(.links))
                }
            }
        }
    }

    /// Holds a socket's admission slot until the socket ends.
    nonisolated func watch(
        _ socket: LinkSocket,
        in admitted: AdmissionSlot
    ) -> EventLoopFuture<HostKey> {
        let endCounts = endCounts
        socket.ended.whenSuccess { end in
            endCounts.count(end)
            admitted.end()
        }
        return socket.opened.flatMapThrowing { key in
            if let limit = admitted.open() {
                socket.end(.refused(limit))
                throw LinkEnd.refused(limit)
            }
            return key
        }
    }

    nonisolated func makeLink(
        _ socket: LinkSocket,
        _ key: HostKey,
        _ direction: LinkInfo.Direction,
        isReported: Bool = false
    ) -> Link {
        Link(
            peer: key.peer,
            address: socket.remote,
            direction: direction,
            isReported: isReported,
            openedAt: shared.time(),
            socket: socket
        )
    }
}
