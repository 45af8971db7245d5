/// Limits of the peer book.
///
/// Source: Docs/limits.md, section 1.3.
package struct PeerBookLimits: Sendable {
    package var peersMax = 1_000
    package var addressesPerPeerMax = 8
    /// Peers remembered at one IP address; no limit for this machine.
    package var peersPerAddressMax = 64
    /// Peers remembered in one subnet: /24 of IPv4, /48 of IPv6.
    package var peersPerSubnetMax = 128
    /// Links this node wants; it dials while it has fewer.
    package var linksWanted = 24
    /// The number of outgoing links wanted even if enough peers connected, so that attackers cannot
    /// surround this node.
    package var dialledWanted = 8
    package var dialsMax = 8
    /// Dials of this node in all: this many at once, and one more each interval.
    package var dialsBurst = 16
    package var dialInterval = Duration.milliseconds(250)
    /// Dials of one reported IPv4 address or IPv6 /64.
    package var dialsPerAddressBurst = 4
    package var addressDialInterval = Duration.seconds(30)
    /// Dials of the reported addresses of one subnet.
    package var dialsPerSubnetBurst = 16
    package var subnetDialInterval = Duration.seconds(5)
    /// Dials of addresses reported by one source.
    package var dialsPerSourceBurst = 16
    package var sourceDialInterval = Duration.seconds(5)
    /// How long a source that had its turn ranks after those that had none.
    package var turnsLife = Duration.seconds(600)
    /// How long a reported address may take to answer while other dials wait for a slot.
    package var hurriedDialMax = Duration.seconds(5)
    /// Reported addresses tried in one dial of a peer.
    package var addressesPerDialMax = 3
    /// IP addresses tried for one host name.
    package var addressesPerNameMax = 4
    /// Peers remembered of which only host names are known.
    package var namedPeersMax = 128
    /// How long a reported address that did not answer is not dialled again, under any peer id.
    package var reportedRetryMin = Duration.seconds(120)
    /// Addresses, subnets and sources whose rates are remembered.
    package var metersMax = 4_096
    package var retryMin = Duration.seconds(1)
    package var retryMax = Duration.seconds(600)
    /// The longest wait for a peer of the configuration.
    package var bootstrapRetryMax = Duration.seconds(30)
    package var banLife = Duration.seconds(3_600)
    /// The maximum number of bans; a full list removes the one that ends first.
    package var bansMax = 4_096
    /// Weight of offences from one address at which it is banned; for a peer it is 100.
    package var addressWeightMax = 500
    package var addressBanLife = Duration.seconds(900)
    /// How long an offence counts against a peer.
    package var offenceLife = Duration.seconds(600)

    package init() {}

    /// Stops the program if limits contradict each other.
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
