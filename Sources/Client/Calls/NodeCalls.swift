/// The node, its peers and its events.
package struct NodeCalls: Sendable {
    package let status = APICall<NoBody, NodeStatus>(.get, "node", .localOrReader)
        .about("Get the node's status; an account elsewhere gets it without addresses.")
    package let chains = APICall<NoBody, [ChainStatus]>(.get, "chains", .localOrReader)
        .about("List the node's chains.")
    package let peers = APICall<NoBody, [Peer]>(.get, "peers", .operator)
        .about("List the peers this node knows.")
    package let connect = APICall<PeerAddress, Peer>(.post, "peers", .operator)
        .about("Connect to a peer, and stay connected while the node runs.")
        .failing([.peerUnreachable])
    package let events = APICall<NoBody, Event>(.get, "events")
        .about(
            "Receive events over a WebSocket: the account's, or those of records the node receives."
        )
        .upgrading
        .taking(Query.after, Query.source, Query.actAs)
        .failing([.upgradeNeeded])
    package let document = APICall<NoBody, JSONObject>(.get, "openapi.json", .anyone)
        .about("Get this document.")
}

extension StoaClient {
    public func status() async throws -> NodeStatus { try await call(API.node.status) }

    public func chains() async throws -> [ChainStatus] { try await call(API.node.chains) }

    public func peers() async throws -> [Peer] { try await call(API.node.peers) }

    /// Connects to a peer, and returns when it is connected.
    public func connect(_ request: PeerAddress) async throws -> Peer {
        try await call(API.node.connect, request)
    }
}
