import Answers
import Client
import Foundation
import Keys
import Market
import Setup
import Texts

/// The moves that accounts have left to the node, in memory as in the files of ``UnattendedKeys``.
struct UnattendedBook: Sendable {
    /// `nil` if this node keeps none.
    private let keys: UnattendedKeys?
    /// Also those that have ended if the key is not removed yet.
    private(set) var entries: [Address: UnattendedEntry]
    /// The names of the files that are damaged, or were changed.
    private(set) var damaged: Set<String>

    init(_ keys: UnattendedKeys?) {
        self.keys = keys
        let (kept, damaged) = keys?.all() ?? ([:], [])
        (entries, self.damaged) = (kept, Set(damaged))
    }

    /// The moves that each account allows now.
    func allowed(at now: Date) -> [Address: Set<UnattendedMove>] {
        entries.filter { $0.value.until > now }.mapValues(\.allowed)
    }

    /// Returns what an account has left to the node; `nil` if it has ended.
    func entry(of address: Address, at now: Date) -> UnattendedEntry? {
        entries[address].flatMap { $0.until > now ? $0 : nil }
    }

    /// Opens the key of an entry.
    func key(of entry: UnattendedEntry) -> UnattendedKey? { keys?.key(of: entry) }

    /// Returns what an account has left to the node, in the API's form; nothing if it has ended.
    func moves(of address: Address, at now: Date) -> UnattendedMoves {
        guard let entry = entry(of: address, at: now) else {
            let isDamaged = damaged.contains(UnattendedKeys.name(of: address))
            return UnattendedMoves(moves: [], isDamaged: isDamaged ? true : nil)
        }
        return UnattendedMoves(moves: entry.moves, until: entry.until)
    }

    /// Keeps the key of an account for some moves, and replaces what it had left before.
    ///
    /// - Throws: ``Refusal`` with `store_full` if the disk is, or `internal_error` if its file is
    ///   damaged or cannot be written; then what was allowed before stays.
    mutating func keep(
        _ key: PrivateKey,
        of address: Address,
        for moves: Set<UnattendedMove>,
        until: Date,
        keystore: [UInt8]
    ) throws {
        guard let keys else {
            throw Refusal(.internalError, Sentence("refusal.noUnattendedKeys"))
        }
        do {
            entries[address] = try keys.keep(
                key,
                of: address,
                for: moves,
                until: until,
                keystore: keystore
            )
        } catch let error as DataFolderError {
            // The file may be there nevertheless, and would count after a restart.
            if entries[address] == nil { _ = try? end(address) }
            throw Refusal(notKept: error)
        }
        damaged.remove(UnattendedKeys.name(of: address))
    }

    /// Ends what an account has left to the node: at once in memory, and then on disk.
    ///
    /// - Returns: Whether it had left something.
    /// - Throws: ``Refusal`` with `internal_error` if its file cannot be removed.
    mutating func end(_ address: Address) throws -> Bool {
        // If its file cannot be removed now, the next sweep tries again.
        entries[address]?.until = .distantPast
        do { try keys?.remove(address) } catch let error as DataFolderError {
            throw Refusal(notRemoved: error)
        }
        damaged.remove(UnattendedKeys.name(of: address))
        return entries.removeValue(forKey: address) != nil
    }
}

extension Refusal {
    /// The key of an account that is left alone cannot be written.
    fileprivate init(notKept error: DataFolderError) {
        switch error {
        case .notWritable(_, let reason) where FullDisk.advice(reason) != nil:
            self.init(.storeFull, Sentence("refusal.keyDiskFull"))
        case .notWritable(let path, let reason):
            self.init(
                .internalError,
                Sentence("refusal.keyNotKept", ["reason": "\(path): \(reason)"])
            )
        default: self.init(ofKey: error)
        }
    }

    /// The key of an account that was left alone cannot be removed.
    fileprivate init(notRemoved error: DataFolderError) {
        if case .notWritable(let path, let reason) = error {
            self.init(
                .internalError,
                Sentence("refusal.keyNotRemoved", ["reason": "\(path): \(reason)"])
            )
        } else {
            self.init(ofKey: error)
        }
    }

    private init(ofKey error: DataFolderError) {
        guard case .damaged(let path) = error else {
            self.init(.internalError, Sentence("refusal.keyNotKept", ["reason": "\(error)"]))
            return
        }
        self.init(.internalError, Sentence("refusal.keyFileDamaged", ["path": path]))
    }
}
