package import AccountAccess
package import Concurrency
import Keys
package import Logging
import Mail
import Market
import Storage

/// Fetches the digital works of signed-in accounts from their other nodes: the keys by the vault,
/// the encrypted files from the nodes that have them; and the pictures of notes in their sales.
///
/// Source: Docs/protocol.md, sections 15.12, 17.4 and 18.9.
package actor WorkFollower {
    /// How often the vaults are looked at, and a picture is fetched.
    private static let interval = Duration.seconds(2)
    /// How long a file that did not arrive is left alone.
    private static let pause = Duration.seconds(600)
    /// How often the sales are looked at for pictures if none was due.
    private static let picturesInterval = Duration.seconds(30)

    private let digitalWorks: DigitalWorks
    private let accounts: Accounts
    private let clock: any MonotonicClock
    private let errors: LoopErrors
    /// The logs as they were when the account's vault was last read here.
    private var seen: [Address: VaultLogs] = [:]
    /// The works whose files are not here; at most ``DigitalWorks/countMax`` of an account.
    private var missing: [Address: [StoredWork]] = [:]
    /// The uptime at which missing files did not arrive.
    private var failures: [String: Duration] = [:]
    /// The account for which a file was fetched last.
    private var last: Address?
    private var pictureTurns = PictureTurns()

    package init(
        digitalWorks: DigitalWorks,
        accounts: Accounts,
        clock: any MonotonicClock,
        logger: Logger
    ) {
        (self.digitalWorks, self.accounts) = (digitalWorks, accounts)
        self.clock = clock
        errors = LoopErrors("works-of-other-nodes", logger: logger, level: .debug, clock: clock)
    }

    /// Follows until cancelled.
    package func run() async throws {
        try await withThrowingTaskGroup { group in
            group.addTask {
                while true {
                    await self.runPass()
                    try await self.clock.wait(Self.interval)
                }
            }
            // Apart, because the other side of a sale can name pictures and homes that nobody has.
            group.addTask {
                while true {
                    let isFound = await self.runPicturePass()
                    try await self.clock.wait(isFound ? Self.interval : Self.picturesInterval)
                }
            }
            try await group.next()
            group.cancelAll()
        }
    }

    /// Applies the vaults of all signed-in accounts, and fetches one file.
    func runPass() async {
        let unlocked = await accounts.unlocked
        seen = seen.filter { unlocked.contains($0.key) }
        missing = missing.filter { unlocked.contains($0.key) }
        for account in unlocked {
            await errors.item("vault of account \(account)") { try await self.follow(account) }
        }
        let wanted = Set(missing.values.joined().map(\.blob))
        failures = failures.filter { wanted.contains($0.key) }
        guard let (account, work) = next(unlocked) else { return }
        last = account
        failures[work.blob] = clock.uptime
        await errors.item("file \(work.blob)") { try await self.fetch(work, of: account) }
    }

    /// Fetches one picture of the notes in the accounts' sales.
    ///
    /// - Returns: Whether one was due.
    @discardableResult
    func runPicturePass() async -> Bool {
        guard let pictures = digitalWorks.mail?.pictures else { return false }
        let unlocked = await accounts.unlocked
        for account in pictureTurns.order(unlocked) {
            var next: Bytes32?
            await errors.item("pictures for account \(account)") {
                let missing = try await pictures.missing(of: account)
                next = self.pictureTurns.next(
                    of: Set(missing.map(\.picture.blob)),
                    for: account,
                    at: self.clock.uptime
                )
                guard let seen = missing.first(where: { $0.picture.blob == next }) else { return }
                _ = try await pictures.fetched(seen, for: account)
            }
            if next != nil { return true }
        }
        return false
    }

    private func follow(_ account: Address) async throws {
        let logs = try digitalWorks.chat.store.read { try $0.vaultLogs(of: account) }
        guard seen[account] != logs else { return }
        let found = try await digitalWorks.follow(account)
        missing[account] = found.missing
        // A removal that has to wait is tried again.
        seen[account] = found.holdsRemoved ? nil : logs
    }

    private func fetch(_ work: StoredWork, of account: Address) async throws {
        guard try await digitalWorks.fetch(work, of: account) else { return }
        missing[account]?.removeAll { $0.file == work.file }
    }

    /// Returns the next file to fetch: of the accounts in turn, one that has not failed just now.
    private func next(_ unlocked: [Address]) -> (Address, StoredWork)? {
        for account in unlocked.inTurn(after: last) {
            let work = missing[account]?.first { work in
                failures[work.blob].map { clock.uptime >= $0 + Self.pause } ?? true
            }
            if let work { return (account, work) }
        }
        return nil
    }
}
