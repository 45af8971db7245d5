import Answers
import Client
import Concurrency
import Foundation
import Keys
import Logging
import Market
import NIOCore
import Setup
import Storage
import Support
import Testing

@testable import MediaFiles

/// Files on their way into a node and out of it.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct MediaServiceTests {
    private typealias Samples = MediaSamples

    private let folder: TemporaryFolder
    private let blobs = MemoryBlobs()
    private let ana = testKey(1).address

    init() throws { folder = try TemporaryFolder() }

    private func service(program: String = "/usr/bin/vips") -> MediaService {
        MediaService(
            blobs: blobs,
            folder: DataFolder(path: folder.path),
            tool: PictureTool(program: program, logger: Logger(label: "test"))
        )
    }

    /// A body that comes in pieces of 1,000 bytes.
    private func body(_ bytes: [UInt8]) -> Pieces { Pieces(bytes: bytes) }

    private func refusal(_ body: () async throws -> Void) async -> Refusal? {
        do {
            try await body()
            return nil
        } catch {
            return error as? Refusal
        }
    }

    @Test func `stores a file by the hash of its bytes, as listings name it`() async throws {
        let service = service()
        let file = try await service.add(body(Samples.pdf()), by: ana)
        #expect(file.type == "application/pdf" && file.length == UInt64(Samples.pdf().count))
        let media = try await service.media([ListingMedia(id: file.id)])
        #expect(media.map(\.id.hex) == [file.id] && media.map(\.form) == [.pdf])
        #expect(file.received == file.id, "the hash of a document that is kept as it came")
        let picture = try await service.add(body(Samples.png(3, 2)), by: ana)
        #expect(picture.received != picture.id)
    }

    @Test func `fetches the files of a former listing, as far as peers have them`() async throws {
        let service = service()
        let theirs = await blobs.offer(Samples.pdf(), form: .pdf)
        let named = [ListingMedia(id: theirs.id.hex), ListingMedia(id: Bytes32.random().hex)]
        #expect(await refusal { _ = try await service.media([named[0]]) }?.code == .badListing)
        try await service.fetch(named)
        #expect(try await service.media([named[0]]) == [theirs])
        #expect(await refusal { _ = try await service.media(named) }?.code == .badListing)
    }

    @Test func `stores a picture without the bytes after it`() async throws {
        let service = service()
        for more in [Samples.page, Samples.archive, Samples.pdf(), [0x0A]] {
            let file = try await service.add(body(Samples.png(300, 200) + more), by: ana)
            let sent = try await service.sent(file.id, side: nil, to: .thisMachine)
            #expect(try InspectedMedia(sent.bytes).content == sent.bytes)
            #expect(!Data(sent.bytes).contains(Data(more)) || more == [0x0A])
            for side in PictureTool.thumbnailSides {
                let small = try await service.sent(file.id, side: side, to: .thisMachine)
                #expect(!Data(small.bytes).contains(Data(more)) || more == [0x0A])
            }
        }
        // What another node keeps may have something behind it; the smaller versions do not.
        let other = await blobs.offer(Samples.png(300, 200) + Samples.page, form: .png)
        let small = try await service.sent(other.id.hex, side: 160, to: .thisMachine)
        #expect(!Data(small.bytes).contains(Data(Samples.page)))
    }

    /// - From peers: a picture of a note that is damaged, or no picture once it is decrypted → bad_media
    @Test func `decodes and encodes a picture that another account sealed`() async throws {
        let service = service()
        let sent = try await service.rewritten(
            Samples.png(300, 200) + Samples.page,
            for: testKey(1).address
        )
        #expect(sent.form == .webp)
        #expect(try InspectedMedia(sent.bytes).content == sent.bytes)
        #expect(!Data(sent.bytes).contains(Data(Samples.page)))
        let half = Array(Samples.png(300, 200).prefix(60))
        for wrong in [[], half, Samples.page, Samples.pdf(), Samples.archive] {
            let refused = await refusal {
                _ = try await service.rewritten(wrong, for: testKey(1).address)
            }
            #expect(refused?.code == .badMedia)
        }
        let bare = self.service(program: "/nowhere/vips")
        let refused = await refusal {
            _ = try await bare.rewritten(Samples.png(300, 200), for: testKey(1).address)
        }
        #expect(refused?.code == .mediaUnavailable)
    }

    /// - From people: a listing that names a file that this node does not have, or states its type
    ///   wrongly → bad_listing
    @Test func `a listing can name only stored files, with their types`() async throws {
        let service = service()
        let file = try await service.add(body(Samples.pdf()), by: ana)
        let own = ListingMedia(id: file.id, type: file.type, length: file.length)
        let old = await blobs.offer(Samples.png(3, 2), form: .png)
        let named = [ListingMedia(id: old.id.hex), own]
        #expect(
            try await service.media(named, keeping: [old]).map(\.id) == [
                old.id, Bytes32(hex: file.id),
            ]
        )
        for wrong in [
            ListingMedia(id: old.id.hex), ListingMedia(id: "0x00"), ListingMedia(id: ""),
            ListingMedia(id: file.id, type: "image/jpeg"), ListingMedia(id: file.id, length: 1),
        ] {
            let refusal = await refusal { _ = try await service.media([wrong]) }
            #expect(refusal?.code == .badListing && refusal?.field == "media", "\(wrong)")
        }
    }

    /// - From people: a file from another node that is not what its listing says → bad_media
    @Test func `creates smaller versions of a remote picture on request`() async throws {
        let media = await blobs.offer(Samples.png(800, 400), form: .png)
        let small = try await service().sent(media.id.hex, side: 160, to: .thisMachine)
        #expect(try InspectedMedia(small.bytes).size == PictureSize(width: 160, height: 80))
        // Another start finds them, and makes those again that are lost.
        let again = try await service().sent(media.id.hex, side: 640, to: .thisMachine)
        #expect(try InspectedMedia(again.bytes).size?.longSide == 640)
        try FileManager.default.removeItem(atPath: folder.path("thumbnails"))
        let anew = try await service().sent(media.id.hex, side: 640, to: .thisMachine)
        #expect(try InspectedMedia(anew.bytes).size?.longSide == 640)
        // What a peer calls a picture may be none.
        let page = await blobs.offer(Array("<html>".utf8), form: .png)
        let refusal = await refusal {
            _ = try await service().sent(page.id.hex, side: 160, to: .thisMachine)
        }
        #expect(refusal?.code == .badMedia)
        let disguised = await blobs.offer(Samples.pdf(), form: .jpeg)
        let other = await self.refusal {
            _ = try await service().sent(disguised.id.hex, side: nil, to: .thisMachine)
        }
        #expect(other?.code == .badMedia)
    }

    @Test func `does not decode a picture that failed before or is too large`() async throws {
        let count = folder.path("count")
        let tool = folder.path("vips")
        try Data("#!/bin/sh\necho x >> \(count)\necho no picture\nexit 1\n".utf8).write(
            to: URL(filePath: tool)
        )
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: tool)
        let service = MediaService(
            blobs: blobs,
            folder: DataFolder(path: folder.path),
            tool: PictureTool(program: tool, isolation: .limitsAlone, logger: quiet)
        )
        func runs() -> Int { FileManager.default.contents(atPath: count)?.count ?? 0 }
        let broken = await blobs.offer(Samples.png(800, 400), form: .png)
        for side in [160, 640, 160] {
            let refusal = await refusal {
                _ = try await service.sent(broken.id.hex, side: side, to: .thisMachine)
            }
            #expect(refusal?.code == .badMedia)
            #expect(runs() == 2, "one run, of one line")
        }
        // 96 MB in four bytes for each pixel.
        let header: [UInt8] = Samples.big(8_000, 4) + Samples.big(3_000, 4) + [8, 6, 0, 0, 0]
        let file =
            Samples.pngStart + Samples.chunk("IHDR", header) + Samples.chunk("IDAT", [1])
            + Samples.chunk("IEND", [])
        let large = await blobs.offer(file, form: .png)
        let refusal = await refusal {
            _ = try await service.sent(large.id.hex, side: 160, to: .thisMachine)
        }
        #expect(refusal?.code == .badMedia)
        #expect(runs() == 2)
    }

    /// - From people: a picture added to a node without libvips → media_unavailable
    @Test func `accepts documents without the tool and says what pictures need`() async throws {
        let service = service(program: "/no/such/vips")
        let missing = await refusal { _ = try await service.add(body(Samples.png(3, 2)), by: ana) }
        #expect(missing?.code == .mediaUnavailable)
        #expect(missing?.detail.contains("libvips-tools") == true)
        _ = try await service.add(body(Samples.pdf()), by: ana)
    }

    /// - From people: more than two files of an account at a time, or eight in all →
    ///   too_many_tries, with `Retry-After`
    @Test func `refuses more files at a time than the limit until some are done`()
        async throws
    {
        let service = service()
        try await withThrowingTaskGroup { group in
            for number in 1...4 {
                let account = testKey(UInt8(number)).address
                for _ in 0..<MediaService.accountUploadsMax {
                    let body = Halted()
                    group.addTask { _ = try? await service.add(body, by: account) }
                }
            }
            let work = folder.path("media-work")
            try await waitUntil {
                (try? FileManager.default.contentsOfDirectory(atPath: work))?.count ?? 0 >= 8
            }
            for isElsewhere in [false, true] {
                let refusal = await refusal {
                    _ = try await service.add(
                        body(Samples.pdf()),
                        by: testKey(1).address,
                        isElsewhere: isElsewhere
                    )
                }
                #expect(refusal?.code == .tooManyTries && refusal?.retryAfter != nil)
            }
            // An account that has none takes one of those that have two.
            _ = try await service.add(body(Samples.pdf()), by: testKey(5).address)
            group.cancelAll()
        }
        _ = try await service.add(body(Samples.pdf()), by: ana)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder.path("media-work")) == []
        )
    }

    /// - From people: a file, also a peer's, for which the node or the account has no room →
    ///   media_no_room
    /// - From people: a file that was damaged on the disk or is being fetched → media_unavailable,
    ///   with `Retry-After`
    @Test(arguments: [
        (BlobFault.noRoom(quotaBytes: 64 << 20), ProblemCode.mediaNoRoom),
        (.accountFull(bytesMax: 16 << 20), .mediaNoRoom), (.damaged, .mediaUnavailable),
        (.busy, .mediaUnavailable), (.empty, .badMedia), (.tooLong(byteCountMax: 1), .bodyTooLarge),
    ])
    func `gives the reason why a file cannot be stored or read now`(
        fault: BlobFault,
        code: ProblemCode
    ) async throws {
        let service = service()
        await blobs.fail(with: fault)
        let added = await refusal { _ = try await service.add(body(Samples.pdf()), by: ana) }
        #expect(added?.code == code && added?.detail.isEmpty == false)
        let id = Bytes32(repeating: 1).hex
        let asked = await refusal { _ = try await service.sent(id, side: nil, to: .thisMachine) }
        #expect(asked?.code == code)
    }

    @Test func `gives a picture up whose client hangs up while it waits`() async throws {
        let service = service()
        await #expect(throws: CancellationError.self) {
            _ = try await service.add(body(Samples.png(3, 2)), by: ana) { work in
                let decoding = Task {
                    while !Task.isCancelled { await Task.yield() }
                    return try await work()
                }
                decoding.cancel()
                return try await decoding.value
            }
        }
        #expect(try await service.add(body(Samples.png(3, 2)), by: ana).type == "image/webp")
    }

    @Test func `removes an earlier run's leftovers at startup`() throws {
        let left = folder.path("media-work/half")
        try FileManager.default.createDirectory(atPath: left, withIntermediateDirectories: true)
        _ = service()
        #expect(!FileManager.default.fileExists(atPath: left))
    }

    @Test func `smaller versions stay within their room`() async throws {
        let cache = ThumbnailCache(folder: folder.path("thumbnails"), bytesMax: 10_000)
        for byte in 0..<20 as Range<UInt8> {
            await cache.keep(
                [160: [UInt8](repeating: byte, count: 1_000)],
                of: Bytes32(repeating: byte)
            )
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path("thumbnails"))
        #expect(names.count <= 10 && names.count >= 7)
        #expect(await cache.thumbnail(of: Bytes32(repeating: 19), side: 160)?.count == 1_000)
        #expect(await cache.thumbnail(of: Bytes32(repeating: 0), side: 160) == nil)
    }
}

extension Data {
    fileprivate func contains(_ part: Data) -> Bool { range(of: part) != nil }
}
