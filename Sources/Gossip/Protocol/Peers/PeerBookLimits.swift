/// The numbers of the peer book.
///
/// Source: Docs/operations.md, section 3.
package struct PeerBookLimits: Sendable {
    package var peersMax = 1_000
    package var addressesPerPeerMax = 8
    /// Peers remembered at one IP address; on this machine as many as there are.
    package var peersPerAddressMax = 64
    /// Peers remembered in one subnet.
    ///
    /// /24 of IPv4, /48 of IPv6.
    package var peersPerSubnetMax = 128
    /// Links this node wants; below it, it dials.
    package var linksWanted = 24
    /// Links it dials for even where enough others came in, so that nobody can surround it.
    package var dialledWanted = 8
    package var dialsMax = 8
    package var retryMin = Duration.seconds(1)
    package var retryMax = Duration.seconds(600)
    /// The longest wait for a peer of the configuration.
    package var bootstrapRetryMax = Duration.seconds(30)
    package var banLife = Duration.seconds(3_600)
    /// Bans kept at one time; a full list lets the one that ends first go.
    package var bansMax = 4_096
    /// How long an offence is held against a peer.
    package var offenceLife = Duration.seconds(600)

    package init() {}

    /// Stops a configuration whose limits contradict each other.
    package func check() {
        precondition(dialledWanted <= linksWanted, "more would be dialled than is wanted")
        precondition(peersPerAddressMax <= peersPerSubnetMax, "a subnet holds its addresses")
        precondition(bootstrapRetryMax <= retryMax, "a needed peer is not waited for longer")
        precondition(
            retryMin <= bootstrapRetryMax && retryMin > .zero,
            "a peer would be dialled at once"
        )
    }
}
