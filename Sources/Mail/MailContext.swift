import AccountAccess
import Concurrency
import Gossip
import Logging
import Market
import Records
import Storage

/// The parts of the node that mail works with; each actor takes those that it needs.
struct MailContext: Sendable {
    let store: Store
    let accounts: Accounts
    let events: AccountEventLog
    let recordService: RecordService
    let exchange: MailExchange
    let mailStore: LMDBMailStore
    let view: any ChainView & Sendable
    let settings: ChatSettings
    let clock: any WallClock
    let uptime: any MonotonicClock
    let logger: Logger
    /// Those of the loop that the actor works in.
    private(set) var errors: LoopErrors
    let signals: MailSignals

    /// Returns the same context for the actor of another loop.
    func forLoop(_ name: String) -> MailContext {
        var context = self
        context.errors = LoopErrors(name, logger: logger, clock: uptime)
        return context
    }

    /// The keys of accounts that are signed in.
    var keyring: Keyring {
        Keyring(store: store, accounts: accounts, network: settings.network)
    }

    /// Which homes accounts have.
    var directory: HomeDirectory {
        HomeDirectory(store: store, ownPeer: exchange.localPeer, clock: clock)
    }

    /// Which records need not be published again yet.
    var renewal: RecordRenewal {
        RecordRenewal(view: view, interval: settings.recordRenewal, clock: clock)
    }
}

/// Runs `body` for each element, at most `countMax` at a time.
func forEach<Element: Sendable>(
    _ elements: [Element],
    atOnce countMax: Int,
    _ body: @escaping @Sendable (Element) async -> Void
) async {
    await withTaskGroup(of: Void.self) { group in
        for (index, element) in elements.enumerated() {
            if index >= countMax { await group.next() }
            group.addTask { await body(element) }
        }
    }
}
