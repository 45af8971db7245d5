package import Gossip
package import Storage

extension MailLimits {
    /// What a node says to others of what its store keeps for them.
    package init(_ limits: StoreLimits) {
        self.init()
        leasesMax = limits.homedAccountsMax
        endedGrantsMax = limits.endedGrantsMax
    }
}
