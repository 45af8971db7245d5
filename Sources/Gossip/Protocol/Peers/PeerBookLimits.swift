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
    /// Dials of this node in all: so many at once, and one more each interval.
    package var dialsBurst = 16
    package var dialInterval = Duration.milliseconds(250)
    /// Dials at one told IPv4 address or /64 of IPv6.
    package var dialsPerAddressBurst = 4
    package var addressDialInterval = Duration.seconds(30)
    /// Dials at one subnet's told addresses.
    package var dialsPerSubnetBurst = 16
    package var subnetDialInterval = Duration.seconds(5)
    /// Dials on the word of one source.
    package var dialsPerSourceBurst = 16
    package var sourceDialInterval = Duration.seconds(5)
    /// Told addresses tried in one dial of a peer.
    package var addressesPerDialMax = 3
    /// IP addresses taken of one name.
    package var addressesPerNameMax = 4
    /// Peers remembered of whom nothing but names is known.
    package var namedPeersMax = 128
    /// How long a told address that did not answer is left alone, under whatever peer id.
    package var toldRetryMin = Duration.seconds(120)
    /// Addresses, subnets and sources whose dials are counted.
    package var metersMax = 4_096
    package var retryMin = Duration.seconds(1)
    package var retryMax = Duration.seconds(600)
    /// The longest wait for a peer of the configuration.
    package var bootstrapRetryMax = Duration.seconds(30)
    package var banLife = Duration.seconds(3_600)
    /// Bans kept at one time; a full list lets the one that ends first go.
    package var bansMax = 4_096
    /// Weight of the offences from one address at which it is banned; a peer is at 100.
    package var addressWeightMax = 500
    package var addressBanLife = Duration.seconds(900)
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
        precondition(
            addressWeightMax > OffenceTolerance.none.weight,
            "one peer would get its neighbours banned"
        )
        precondition(addressesPerDialMax <= dialsPerSourceBurst, "no peer could be dialled")
    }
}
