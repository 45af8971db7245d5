package import Keys
package import Market
package import Storage

extension ReadableTransaction where Self: ~Copyable {
    /// Returns an account's profile; `nil` if it has none, or no longer has one.
    package func profile(
        of account: Address
    ) throws -> (profile: Profile, record: StoredRecord)? {
        guard let stored = try records(of: .profile, by: account, limit: 1).first,
            case .profile(let profile) = stored.readable()?.content
        else { return nil }
        return (profile, stored)
    }
}
