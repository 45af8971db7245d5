import Concurrency
import Keys
import Logging
import Market
import Metrics
import Storage

/// Keeps the files of accounts that have a lease here, so that they are available while these
/// accounts' own nodes are away.
///
/// Only files that a sale vouches for are kept: other records cost strangers little. Each account,
/// all accounts whose leases were requested from one address, and all guests together have a part
/// of the room (``BlobLimits``). The accounts take turns, and at most one file is fetched per turn,
/// so that files that no one has delay others little.
///
/// Source: Docs/protocol.md, section 11.10.
package actor HomedFiles {
    private static let interval = Duration.seconds(2)
    /// How long a file that did not arrive is left alone.
    private static let pause = Duration.seconds(600)
    private static let failuresMax = 4_096

    private let store: Store
    private let files: BlobFiles
    private let fetches: BlobFetches
    private let limits: BlobLimits
    private let clock: any MonotonicClock
    private let errors: LoopErrors
    /// The account whose turn was last.
    private var last: Address?
    /// The uptime at which files did not arrive.
    private var failures: [Bytes32: Duration] = [:]

    init(
        store: Store,
        files: BlobFiles,
        fetches: BlobFetches,
        limits: BlobLimits,
        clock: any MonotonicClock = .system,
        logger: Logger
    ) {
        (self.store, self.files, self.fetches) = (store, files, fetches)
        (self.limits, self.clock) = (limits, clock)
        errors = LoopErrors("homed-files", logger: logger, level: .debug)
    }

    /// Keeps files until cancelled.
    package func run() async throws {
        while true {
            try await clock.wait(Self.interval)
            // The other accounts have their turns; this account has another turn later.
            await errors.item("files of an account") { try await serveNext() }
        }
    }

    /// Looks at the account whose turn it is.
    func serveNext() async throws {
        let next = try store.read { transaction in
            try transaction.homedAccount(after: last) ?? transaction.homedAccount(after: nil)
        }
        last = next?.account
        guard let (account, origin) = next else { return }
        let known = try store.read {
            (
                isHomed: try $0.isHomed(account), wanted: try $0.anchoredMedia(of: account),
                pinned: try $0.pinnedMedia(of: account)
            )
        }
        guard known.isHomed else { return }
        try await release(known.pinned, but: known.wanted, of: account)
        for media in known.wanted {
            let held = await files.media(media.id)
            let isPinned = known.pinned.contains(media.id)
            if held != nil && isPinned || hasFailed(media.id) { continue }
            // Pinned first, so that it cannot be evicted once it is there.
            if !isPinned {
                guard try await pin(held ?? media, for: account, origin) else { continue }
            }
            if held == nil { return try await fetch(media, for: account, origin) }
        }
    }

    /// Fetches a pinned file, and releases it if it does not arrive.
    private func fetch(
        _ media: Media,
        for account: Address,
        _ origin: Bytes32
    ) async throws {
        var held: Media?
        do {
            if try await fetches.fetch(media.id) { held = await files.media(media.id) }
        } catch {
            // First: if the store is full, it stays pinned, and is not to be fetched each turn.
            noteFailure(of: media.id)
            try await unpin(media.id, for: account)
            throw error
        }
        guard held != media else { return }
        if held == nil { noteFailure(of: media.id) }
        // A record can state another length than the file's.
        try await unpin(media.id, for: account)
        guard let held else { return }
        _ = try await pin(held, for: account, origin)
    }

    /// Releases files that the account's records no longer name.
    private func release(
        _ pinned: Set<Bytes32>,
        but wanted: [Media],
        of account: Address
    ) async throws {
        let rest = pinned.subtracting(wanted.map(\.id))
        let gone = try store.read { transaction in
            try rest.filter { try !transaction.isMediaNamed($0, by: account) }
        }
        for id in gone { try await unpin(id, for: account) }
    }

    private func unpin(_ id: Bytes32, for account: Address) async throws {
        try await store.write { transaction in
            // If it is this node's own by now, it keeps its files itself.
            guard try transaction.isHomed(account) else { return }
            try transaction.unpin(id, for: account)
        }
    }

    /// Pins a file if there is room; returns whether it is pinned now.
    private func pin(
        _ media: Media,
        for account: Address,
        _ origin: Bytes32
    ) async throws -> Bool {
        let isPinned = try await store.add { [limits] transaction in
            guard try transaction.isHomed(account) else { return false }
            let all = try transaction.homedMediaBytes()
            let own = try transaction.pinnedBytes(of: account)
            let room = BlobLimits.room(for: media.byteCount)
            for (bytes, most) in [
                (own, limits.homedAccountBytesMax), (all[origin] ?? 0, limits.homedOriginBytesMax),
                (all.values.reduce(0, +), limits.homedBytesMax),
            ] where bytes + room > UInt64(clamping: most) { return false }
            return try transaction.pin(media, for: account, bytesMax: limits.homedAccountBytesMax)
        }
        if isPinned { Counter(label: "stoa_blob_homed").increment() }
        return isPinned
    }

    private func hasFailed(_ id: Bytes32) -> Bool {
        failures[id].map { clock.uptime < $0 + Self.pause } ?? false
    }

    private func noteFailure(of id: Bytes32) {
        let now = clock.uptime
        if failures.count >= Self.failuresMax {
            failures = failures.filter { now < $0.value + Self.pause }
        }
        if failures.count < Self.failuresMax { failures[id] = now }
    }
}
