import Answers
import Client
import Concurrency
import Keys
import Logging
import Market
import Setup
import Storage
import Support
import Synchronization
import Testing

@testable import MediaFiles

/// Fetching all files of a former listing.
@Suite(.timeLimit(.minutes(1)))
struct MediaFetchTests {
    private let folder: TemporaryFolder
    private let blobs = MemoryBlobs()
    private let gate = AsyncSemaphore(unitsMax: 1)

    init() throws { folder = try TemporaryFolder() }

    private func service(_ uptime: any MonotonicClock = .system) -> MediaService {
        MediaService(
            blobs: blobs,
            folder: DataFolder(path: folder.path),
            tool: PictureTool(program: "/usr/bin/vips", logger: Logger(label: "test")),
            uptime: uptime
        )
    }

    private func files(_ count: UInt8) async -> [ListingMedia] {
        var files: [ListingMedia] = []
        for number in 0..<count {
            let media = await blobs.offer(MediaSamples.pdf() + [number], form: .pdf)
            files.append(ListingMedia(id: media.id.hex))
        }
        return files
    }

    @Test func `fetches six files at once, and ends if its caller leaves`() async throws {
        let (service, files) = (service(), await files(8))
        let permit = try await gate.wait()
        await blobs.hold(by: gate)
        await #expect(throws: CancellationError.self) {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await service.fetch(files) }
                try await waitUntil { gate.waitingCount == 6 }
                group.cancelAll()
                try await group.waitForAll()
            }
        }
        withExtendedLifetime(permit) {}
    }

    @Test func `files that do not arrive in time stay missing`() async throws {
        let (service, files) = (service(ManualClock()), await files(2))
        let permit = try await gate.wait()
        await blobs.hold(by: gate)
        try await service.fetch(files)
        withExtendedLifetime(permit) {}
        await #expect(throws: Refusal.self) { try await service.media(files) }
    }

    /// - From people: a picture or document that a record names and that is not here yet, unless the
    ///   call waits for it → media_unavailable, with `Retry-After`
    @Test func `a file is fetched behind its request, and those who asked are told`() async throws {
        let service = service()
        let id = await blobs.offer(MediaSamples.pdf(), form: .pdf).id.hex
        let (ana, bo) = (testKey(1).address, testKey(2).address)
        var permit: AsyncSemaphore.Permit? = try await gate.wait()
        await blobs.hold(by: gate)
        for caller in [MediaCaller.account(ana), .account(bo), .account(ana), .thisMachine] {
            let refused = await #expect(throws: Refusal.self) {
                _ = try await service.sentIfHere(id, side: nil, to: caller)
            }
            #expect(refused?.code == .mediaUnavailable && refused?.retryAfter == .seconds(2))
        }
        let told = ToldFiles()
        let errors = LoopErrors("test", logger: Logger(label: "test"))
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                await service.fetchAsked(errors) { told.add($0 + $1.checksummed) }
            }
            try await waitUntil { gate.waitingCount == 1 }
            #expect(permit != nil)
            permit = nil
            try await waitUntil { told.all.count == 2 }
            group.cancelAll()
        }
        #expect(Set(told.all) == Set([ana, bo].map { id + $0.checksummed }))
        #expect(try await service.sentIfHere(id, side: nil, to: .thisMachine).form == .pdf)
    }

    @Test func `a file that no peer gives is left alone for a while`() async throws {
        let clock = ManualClock()
        let service = service(clock)
        let id = await blobs.offer(MediaSamples.pdf(), form: .pdf).id.hex
        await blobs.fail(with: .busy)
        func pause() async -> Duration? {
            await #expect(throws: Refusal.self) {
                _ = try await service.sentIfHere(id, side: nil, to: .thisMachine)
            }?.retryAfter
        }
        #expect(await pause() == .seconds(2))
        let errors = LoopErrors("test", logger: Logger(label: "test"))
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await service.fetchAsked(errors) { _, _ in } }
            try await waitUntil { await pause() == .seconds(30) }
            group.cancelAll()
        }
        clock.advance(.seconds(31))
        #expect(await pause() == .seconds(2))
    }

    @Test func `an unknown file is refused at once`() async throws {
        let id = "0x" + String(repeating: "0f", count: 32)
        let refused = await #expect(throws: Refusal.self) {
            _ = try await self.service().sentIfHere(id, side: nil, to: .thisMachine)
        }
        #expect(refused?.code == .unknownMedia && refused?.retryAfter == nil)
    }

    /// - From people: files of a former listing for which there is no room → media_no_room
    @Test func `says that there is no room for the files`() async throws {
        let (service, files) = (service(), await files(1))
        await blobs.fail(with: .damaged)
        try await service.fetch(files)
        let fault = BlobFault.noRoom(quotaBytes: 1 << 20)
        await blobs.fail(with: fault)
        let refused = await #expect(throws: Refusal.self) { try await service.fetch(files) }
        #expect(refused?.code == Refusal(fault).code)
    }
}

/// The files that accounts were told of.
private final class ToldFiles: Sendable {
    private let files = Mutex<[String]>([])

    var all: [String] { files.withLock { $0 } }

    func add(_ file: String) { files.withLock { $0.append(file) } }
}
