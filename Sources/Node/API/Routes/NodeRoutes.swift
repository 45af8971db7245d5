import Client
import Gossip
import Hummingbird
import Market

/// What the node tells of itself and its peers: `/v1/node`, `/v1/peers`.
func addNodeRoutes(to group: RouterGroup<APIContext>, report: NodeReport) {
    group.get("node") { _, context in
        try reply(.ok, try await report.status(), context)
    }
    group.get("chains") { _, context in
        try reply(.ok, try await report.status().chains, context)
    }
    group.get("peers") { _, context in
        try reply(.ok, await report.peers(), context)
    }
    group.post("peers") { request, context in
        let asked: PeerAddress = try await request.read(context)
        guard let address = Multiaddr(text: asked.address), address.peer != nil else {
            throw Refusal(
                .malformedValue,
                "An address looks like /ip4/192.0.2.1/tcp/4001/p2p/16Uiu2HA….",
                field: "address"
            )
        }
        return try reply(.ok, try await report.link(to: address), context)
    }
}
