import Concurrency
import Gossip
import Keys
import Logging
import Market
import Storage

/// Fetches the files that stored records name, each once at a time.
///
/// A caller that asks for a file that is being fetched waits for that fetch, and takes it over if
/// its asker leaves.
actor BlobFetches {
    /// The askers of one file, one of which fetches it.
    private struct Askers {
        let turn = AsyncSemaphore(unitsMax: 1)
        var count = 0
    }

    private let store: Store
    private let files: BlobFiles
    private let exchange: BlobExchange
    private let limits: BlobFetchLimits
    private let clock: any MonotonicClock
    private let logger: Logger
    private let fetches: AsyncSemaphore
    private let places: AsyncSemaphore
    /// Files that only open records name need a unit of these too.
    private let openFetches: AsyncSemaphore
    private let openPlaces: AsyncSemaphore
    private var askers: [Bytes32: Askers] = [:]
    private var failures: [Bytes32: Duration] = [:]

    init(
        store: Store,
        files: BlobFiles,
        exchange: BlobExchange,
        limits: BlobFetchLimits = BlobFetchLimits(),
        clock: any MonotonicClock = .system,
        logger: Logger
    ) {
        (self.store, self.files, self.exchange) = (store, files, exchange)
        (self.limits, self.clock, self.logger) = (limits, clock, logger)
        fetches = AsyncSemaphore(unitsMax: limits.fetchesMax)
        places = AsyncSemaphore(unitsMax: limits.placesMax)
        openFetches = AsyncSemaphore(unitsMax: limits.openFetchesMax)
        openPlaces = AsyncSemaphore(unitsMax: limits.openPlacesMax)
    }

    /// Fetches a file, unless no record names it or a try has just failed.
    ///
    /// - Returns: Whether the whole file is stored now.
    /// - Throws: ``BlobFault`` if there is no room for it; ``StorageError``; `CancellationError`.
    func fetch(_ id: Bytes32) async throws -> Bool {
        guard try store.read({ try $0.isMediaNamed(id) }) else { return false }
        return try await fetch(id) { [store] in
            try store.read { (try $0.mediaNamed(id), try $0.isMediaAnchored(id)) }
        }
    }

    /// Fetches an encrypted work, whose id and length come from its seller.
    ///
    /// - Returns: Whether the whole file is stored now.
    /// - Throws: As ``fetch(_:)``.
    func fetch(sealed media: Media) async throws -> Bool {
        try await fetch(media.id) { ([media], true) }
    }

    private func fetch(
        _ id: Bytes32,
        _ known: @Sendable () throws -> (named: [Media], isAnchored: Bool)
    ) async throws -> Bool {
        let turn = join(id)
        defer { leave(id) }
        let permit = try await turn.wait()
        defer { withExtendedLifetime(permit) {} }
        // Another asker may have fetched it by now, or failed to.
        if await files.media(id) != nil { return true }
        if let failedAt = failures[id], clock.uptime < failedAt + limits.pause { return false }
        let (named, isAnchored) = try known()
        let isHeld: Bool
        do {
            isHeld = try await fetchInPlace(named, isAnchored: isAnchored)
        } catch is BlobFetchOver {
            isHeld = false
        }
        if isHeld { failures[id] = nil } else { noteFailure(of: id) }
        return isHeld
    }

    private func join(_ id: Bytes32) -> AsyncSemaphore {
        var found = askers[id] ?? Askers()
        found.count += 1
        askers[id] = found
        return found.turn
    }

    private func leave(_ id: Bytes32) {
        askers[id]?.count -= 1
        if askers[id]?.count == 0 { askers[id] = nil }
    }

    private func noteFailure(of id: Bytes32) {
        let now = clock.uptime
        if failures.count >= limits.failuresMax {
            failures = failures.filter { now < $0.value + limits.pause }
        }
        if failures.count < limits.failuresMax { failures[id] = now }
    }

    /// Fetches a file once there is a slot, which is released after a while.
    private nonisolated func fetchInPlace(
        _ named: [Media],
        isAnchored: Bool
    ) async throws -> Bool {
        let unit = try await take(isAnchored ? [fetches] : [openFetches, fetches])
        defer { withExtendedLifetime(unit) {} }
        let begun = BoundedQueue<Never>(elementsMax: 1)
        return try await withThrowingTaskGroup(of: Bool?.self) { group in
            group.addTask { [limits, clock] in
                let kept = isAnchored ? [self.places] : [self.openPlaces, self.places]
                let place = try await self.take(kept)
                defer { withExtendedLifetime(place) {} }
                begun.finish()
                try await clock.wait(limits.placeMax)
                return nil
            }
            group.addTask {
                _ = await begun.receive()
                try Task.checkCancellation()
                return try await self.fetch(named)
            }
            defer { group.cancelAll() }
            while let step = try await group.next() {
                if let isHeld = step { return isHeld }
            }
            return false
        }
    }

    /// Waits for a unit of each; the time of the fetch itself begins after that.
    private nonisolated func take(
        _ semaphores: [AsyncSemaphore]
    ) async throws -> [AsyncSemaphore.Permit] {
        try await withTimeLimit(limits.fetchMax, throwing: BlobFetchOver(), clock: clock) {
            var permits: [AsyncSemaphore.Permit] = []
            for semaphore in semaphores { permits.append(try await semaphore.wait()) }
            return permits
        }
    }

    /// Tries the records' statements about a file, one after the other: only one length is right.
    private nonisolated func fetch(_ named: [Media]) async throws -> Bool {
        try await withTimeLimit(limits.fetchMax, throwing: BlobFetchOver(), clock: clock) {
            guard let first = named.first else { return false }
            // Chunks of one length that have arrived would be lost if another length were tried
            // first.
            let begun = await self.files.begunByteCount(of: first.id)
            let resumed = named.filter { $0.byteCount == begun }
            var left = resumed + named.filter { $0.byteCount != begun }
            var known = Set(left.map(\.byteCount))
            for _ in 0..<self.limits.triesMax {
                guard !left.isEmpty else { return false }
                let media = left.removeFirst()
                let (isHeld, result) = try await self.fetch(media)
                if isHeld { return true }
                guard let result else { continue }
                // Records with wrong lengths cost strangers less than peers that serve the file.
                let shown = result.otherLengths.map { UInt64($0.byteCount) }
                left.sort { shown.contains($0.byteCount) && !shown.contains($1.byteCount) }
                left.insert(
                    contentsOf: shown.filter { known.insert($0).inserted }
                        .map { Media(id: media.id, byteCount: $0, form: media.form) },
                    at: 0
                )
                if result.wasLeft { left.append(media) }
            }
            return false
        }
    }

    private nonisolated func fetch(
        _ media: Media
    ) async throws -> (isHeld: Bool, result: BlobFetchResult?) {
        let missing = try await files.beginFetch(of: media)
        var result: BlobFetchResult?
        do {
            if let length = BlobLength(media.byteCount), !missing.isEmpty {
                result = try await exchange.fetch(media.id, length: length, missing: missing) {
                    [files] chunk, index in
                    try await files.put(chunk, at: index, of: media.id)
                }
            }
        } catch {
            // Chunks that have arrived stay for the next try; the first error says more than
            // another here.
            _ = try? await files.endFetch(of: media.id)
            throw error
        }
        do {
            return (try await files.endFetch(of: media.id), result)
        } catch BlobFault.damaged {
            logger.warning(
                "a fetched file was damaged on the disk",
                metadata: ["file": "\(media.id)"]
            )
            return (false, result)
        }
    }
}

/// A fetch has taken as long as it may.
private struct BlobFetchOver: Error {}
