package import Keys
package import Market
import Storage

/// Marks an account whose key may be older than this node: other nodes are asked for its profile
/// before this one publishes one, which would replace the profile that names the account's homes.
package struct RecoveryMark: Equatable {
    /// When the account was added here.
    package let began: Timestamp
    /// When a peer first answered a question about it; `nil` if none has.
    package var answered: Timestamp?

    package init(began: Timestamp, answered: Timestamp? = nil) {
        (self.began, self.answered) = (began, answered)
    }

    /// Reads ``bytes``; `nil` if they are damaged.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count == 16 else { return nil }
        let numbers = [bytes[..<8], bytes[8...]].map { $0.reduce(0) { $0 << 8 | UInt64($1) } }
        began = Timestamp(milliseconds: numbers[0])
        answered = numbers[1] == 0 ? nil : Timestamp(milliseconds: numbers[1])
    }

    package var bytes: [UInt8] {
        [began.milliseconds, answered?.milliseconds ?? 0].flatMap { number in
            (0..<8).reversed().map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
        }
    }

    /// Decides whether to look on.
    ///
    /// Peers that do not know the profile answer too, so others get some time; a node without peers
    /// waits for one, but not for ever.
    ///
    /// - Parameters:
    ///   - now: The time.
    ///   - patience: How long to look on once a peer has answered.
    ///   - alone: How long to wait for a peer.
    /// - Returns: Whether to look on.
    package func isLooking(at now: Timestamp, patience: Duration, alone: Duration) -> Bool {
        guard let answered else { return began.advanced(by: alone) > now }
        return answered.advanced(by: patience) > now
    }

    /// The name of the setting that holds an account's mark.
    package static func setting(of account: Address) -> String {
        Settings.key("recovery", of: account)
    }
}
