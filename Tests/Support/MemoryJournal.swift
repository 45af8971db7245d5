package import Ethereum
package import Keys
package import Market
import Synchronization

/// A ``TransactionJournal`` in memory that keeps bytes as a real one does, and can crash.
package final class MemoryJournal: TransactionJournal {
    /// What a caller sees of a crash.
    package struct Crashed: Error {}

    private struct Kept {
        var entries: [[UInt8]] = []
        var crashBefore: JournalStep?
    }

    private let kept = Mutex(Kept())

    package init() {}

    package var steps: [JournalStep] {
        get throws {
            try kept.withLock { $0.entries }.map {
                try JournalEntry(storedBytes: [UInt8]($0.dropFirst(Address.byteCount))).step
            }
        }
    }

    /// What was signed, oldest first.
    package var attempts: [SignedAttempt] {
        get throws {
            try kept.withLock { $0.entries }.compactMap {
                let bytes = [UInt8]($0.dropFirst(Address.byteCount))
                guard case .signed(let attempt) = try JournalEntry(storedBytes: bytes).event else {
                    return nil
                }
                return attempt
            }
        }
    }

    /// Makes the next append of this step fail and leave nothing.
    package func crash(before step: JournalStep?) { kept.withLock { $0.crashBefore = step } }

    package func append(_ entry: JournalEntry, account: Address, chain: ChainID) async throws {
        try kept.withLock { kept in
            if kept.crashBefore == entry.step { throw Crashed() }
            kept.entries.append(account.bytes + entry.storedBytes)
        }
    }

    package func entries(account: Address, chain: ChainID) async throws -> [JournalEntry] {
        try kept.withLock { $0.entries }
            .filter { $0.starts(with: account.bytes) }
            .map { try JournalEntry(storedBytes: [UInt8]($0.dropFirst(Address.byteCount))) }
    }
}
