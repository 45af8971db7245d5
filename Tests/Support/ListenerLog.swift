package import Ethereum
package import Market
import Synchronization

/// Remembers every update of a chain.
package final class ListenerLog: ChainListener {
    private let heard = Mutex<[ChainUpdate]>([])

    package init() {}

    package var updates: [ChainUpdate] { heard.withLock { $0 } }

    package func handle(_ update: ChainUpdate, on chain: ChainID) async throws {
        heard.withLock { $0.append(update) }
    }

    /// The events that hold after all updates: applied and not rolled back since.
    package var events: [AppliedEvent] {
        var events: [AppliedEvent] = []
        for update in updates {
            switch update {
            case .applied(let range): events += range.events
            case .rolledBack(let block):
                events.removeAll { event in block.map { event.log.block.number > $0.number } ?? true
                }
            case .resumed, .head, .health, .sources, .noticed: break
            }
        }
        return events
    }
}
