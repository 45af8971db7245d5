package import GossipProtocol
package import Storage

extension MailLimits {
    /// Takes those limits of the store that a node announces to other nodes.
    package init(_ limits: StoreLimits) {
        self.init()
        leasesMax = limits.homedAccountsMax
        endedGrantsMax = limits.endedGrantsMax
    }
}
