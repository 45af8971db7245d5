import Answers
import Client
import Gossip
import Hummingbird
import Market

/// Adds the routes of the node, its peers and names: `/v1/node`, `/v1/peers`, `/v1/names`.
func addNodeRoutes(
    to group: RouterGroup<APIContext>,
    report: NodeReport,
    ids: IDResolver
) {
    group.get("names") { _, context in
        let names = try await ids.names.names(
            for: context.signedIn,
            isLocal: context.isLocal
        )
        return try reply(.ok, names, context)
    }
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
