import Concurrency
package import Foundation
import Gossip
package import GossipProtocol
package import Market
package import Records
package import Storage
import Synchronization

/// One node's way from a record's bytes to its store, with a chain view of its own.
package struct RecordKeeper {
    package static let topic = Topic("/stoa/test/1")
    /// What the clock says at first.
    package static let now = Timestamp(milliseconds: 1_763_700_100_000)

    package let folder: TemporaryFolder
    package let store: Store
    package let recordService: RecordService
    package let audit: RecordAudit
    package let source: StoreRecordSource
    package let view: SampleView
    package let clock = ManualWallClock(
        now: Date(timeIntervalSince1970: Double(Self.now.milliseconds) / 1_000)
    )

    /// - Parameters:
    ///   - folder: Where the store lies; a new one if none is given.
    ///   - limits: The store's.
    /// - Throws: ``StorageError``.
    package init(
        folder: TemporaryFolder? = nil,
        limits: StoreLimits = StoreLimits()
    ) throws {
        self.folder = try folder ?? TemporaryFolder()
        view = SampleView()
        store = try Store(folder: self.folder.path, mapBytes: 1 << 28, limits: limits)
        recordService = RecordService(
            store: store,
            network: SampleSale.network,
            rules: .light,
            view: view,
            announce: { _ in },
            clock: clock,
            logger: quiet
        )
        audit = try RecordAudit(store: store)
        source = StoreRecordSource(
            store: store,
            topics: RecordTopics(network: "test", chains: [ChainID(1)]),
            view: view,
            audit: audit
        )
    }

    /// Validates records in order, as they come from peers: stamped if they are open here.
    package func take(_ records: [SignedRecord]) async {
        for record in records {
            let isOpen = AnchorStatus.of(record, on: view) == .open
            // One that is too long goes without a stamp.
            let sent = isOpen ? (try? OpenLaneRules.light.stamped(record)) ?? record : record
            _ = await recordService.validate(sent.bytes)
        }
    }

    /// Validates again what waited for the chain.
    package func lookAgain() async throws {
        var held: HeldRecordKey?
        repeat { held = try await recordService.validateHeld(after: held) } while held != nil
        var open: RecordExpiryKey?
        repeat { open = try await recordService.validateOpen(after: open) } while open != nil
    }

    package var anchored: Set<RecordID> {
        get throws { Set(try source.ids(on: Self.topic, after: nil, countMax: 100_000)) }
    }

    /// Fetches what the other one has, by the cores that nodes run.
    ///
    /// - Returns: What the exchange counted.
    package func fetch(from other: RecordKeeper) async throws -> ExchangeCounts {
        var exchange = RecordExchange(topic: Self.topic) { try? UnverifiedRecord($0).id }
        var serving = RecordServing()
        var directives = exchange.handle(.begun)
        while let directive = directives.first {
            switch directive {
            case .ask(let question):
                let answer = try other.answer(question, &serving)
                guard let answer else { throw ExchangeBroken() }
                directives = exchange.handle(.received(answer))
            case .compare(let ids):
                let comparison = try source.compare(ids, on: Self.topic)
                directives = exchange.handle(
                    .compared(missing: comparison.missing, refused: comparison.refused)
                )
            case .validate(let records):
                var verdicts: [Verdict] = []
                for record in records { verdicts.append(await recordService.validate(record.data)) }
                directives = exchange.handle(.validated(verdicts))
            case .finish: return exchange.counts
            case .stop: throw ExchangeBroken()
            }
        }
        return exchange.counts
    }

    private func answer(
        _ question: RecordQuestion,
        _ serving: inout RecordServing
    ) throws -> RecordAnswer? {
        var directives = serving.handle(.received(question))
        while let directive = directives.first {
            switch directive {
            case .list(let topic, let after, let countMax):
                let ids = try source.ids(on: topic, after: after, countMax: countMax)
                directives = serving.handle(.listed(ids))
            case .load(let topic, let ids, let bytesMax):
                let records = try source.records(ids, on: topic, bytesMax: bytesMax)
                directives = serving.handle(.loaded(records))
            case .answer(let answer): return answer
            case .stop: return nil
            }
        }
        return nil
    }
}

/// One of two honest sides broke a rule of the exchange.
package struct ExchangeBroken: Error {}

/// A wall clock that moves only when it is told to.
package final class ManualWallClock: WallClock {
    private let date: Mutex<Date>

    package init(now: Date) { date = Mutex(now) }

    package var now: Date { date.withLock { $0 } }

    package func advance(_ duration: Duration) {
        date.withLock { $0 += Double(duration.components.seconds) }
    }
}
