import Answers
import Client
import Concurrency
import Keys
import Logging
import Market
import Setup
import Storage
import Support
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
