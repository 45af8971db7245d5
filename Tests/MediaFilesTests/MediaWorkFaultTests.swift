import Answers
import Client
import Concurrency
import Foundation
import Keys
import Market
import Setup
import Support
import Testing

@testable import MediaFiles

/// Pictures that a node cannot work on for reasons of its own, and whose turn they are.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct MediaWorkFaultTests {
    private typealias Samples = MediaSamples

    private let folder: TemporaryFolder
    private let blobs = MemoryBlobs()

    init() throws { folder = try TemporaryFolder() }

    /// A tool that runs a script, after it has noted the bytes of the picture.
    private func tool(
        _ script: String,
        clock: any MonotonicClock = .system
    ) throws -> PictureTool {
        let program = folder.path("vips")
        let text = "#!/bin/sh\nwc -c < in >> '\(folder.path("runs"))'\n\(script)\n"
        try Data(text.utf8).write(to: URL(filePath: program))
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: program)
        return PictureTool(
            program: program,
            isolation: .limitsAlone,
            clock: clock,
            logger: quiet
        )
    }

    private func service(_ tool: PictureTool) -> MediaService {
        MediaService(blobs: blobs, folder: DataFolder(path: folder.path), tool: tool)
    }

    /// The bytes of the pictures that the tool got, in order.
    private var runs: [Int] {
        let text = FileManager.default.contents(atPath: folder.path("runs")) ?? Data()
        return String(decoding: text, as: UTF8.self).split(separator: "\n")
            .compactMap { Int($0.filter { $0 != " " }) }
    }

    private func refusal(_ body: () async throws -> Void) async -> Refusal? {
        do {
            try await body()
            return nil
        } catch {
            return error as? Refusal
        }
    }

    /// - From people: a picture that the node cannot work on now, because its disk is full, or a
    ///   program failed or was killed → store_full or media_unavailable; the next try may succeed
    @Test(arguments: [
        ("exit 1", ProblemCode.mediaUnavailable),
        (
            "echo '160.webp: write error'; echo 'unix error: No space left on device'; exit 1",
            .storeFull
        ),
        (
            "echo 'vips: error while loading shared libraries: libvips.so.42'; exit 127",
            .mediaUnavailable
        ),
        ("echo 'unix error: Too many open files'; exit 1", .mediaUnavailable),
        ("kill -KILL $$", .mediaUnavailable),
    ])
    func `tries a picture again after a fault of the node`(
        script: String,
        code: ProblemCode
    ) async throws {
        let service = service(try tool(script))
        let media = await blobs.offer(Samples.png(30, 20), form: .png)
        for _ in 0..<2 {
            let refusal = await refusal {
                _ = try await service.sent(media.id.hex, side: 160, to: .thisMachine)
            }
            #expect(refusal?.code == code && refusal?.detail.isEmpty == false)
        }
        #expect(runs.count == 2)
        let added = await refusal {
            let body = Pieces(bytes: Samples.png(30, 20))
            _ = try await service.add(body, by: testKey(1).address)
        }
        #expect(added?.code == code)
    }

    @Test func `a folder that cannot be made is a fault of the node`() async throws {
        let service = service(try tool("exit 1"))
        try Data().write(to: URL(filePath: folder.path("media-work")))
        let media = await blobs.offer(Samples.png(30, 20), form: .png)
        let asked = await refusal {
            _ = try await service.sent(media.id.hex, side: 160, to: .thisMachine)
        }
        #expect(asked?.code == .mediaUnavailable)
        let added = await refusal {
            _ = try await service.add(Pieces(bytes: Samples.pdf()), by: testKey(1).address)
        }
        #expect(added?.code == .mediaUnavailable && runs.isEmpty)
    }

    @Test func `a full disk is told from a file that cannot be written or read`() throws {
        let place = try PrivateFolder(in: folder.path("work"))
        #expect(place.hasRoom)
        for name in ["in", "room"] {
            try FileManager.default.createSymbolicLink(
                atPath: place.file(name),
                withDestinationPath: "/dev/full"
            )
        }
        #expect(throws: MediaWorkFault.diskFull) { try place.write([1], to: "in") }
        #expect(!place.hasRoom)
        let missing = MediaWorkFault.failed(reason: "No such file or directory")
        #expect(throws: missing) { try place.contents(of: "none") }
        #expect(throws: missing) { try place.write([1], to: "none/in") }
    }

    @Test(
        arguments: [
            (.exited(code: 1), "in: libpng read error", true, true),
            (.exited(code: 1), "", true, false),
            (.exited(code: 1), "in: libpng read error", false, false),
            (.exited(code: 2), "/bin/sh: 1: Cannot fork", true, false),
            (.exited(code: 1), "bwrap: Creating new namespace failed", true, false),
            (
                .exited(code: 1), "VipsForeignSave: \"a.webp\" is not a known file format", true,
                false
            ),
            (
                .exited(code: 1), "Error creating thread: Resource temporarily unavailable", true,
                false
            ),
            (.exited(code: 139), "Segmentation fault", true, true),
            (.exited(code: 137), "Killed", true, false),
            (.killed(signal: SIGTERM), "", true, false),
            (.exited(code: 152), "CPU time limit exceeded", true, true),
            (.exited(code: 1), "vips_tracked: out of memory", true, true),
            (.timedOut, "", true, true),
        ] as [(LimitedProcess.Outcome, String, Bool, Bool)]
    )
    func `an end without a picture is the picture's fault or the node's`(
        outcome: LimitedProcess.Outcome,
        report: String,
        hasRoom: Bool,
        isOfPicture: Bool
    ) {
        let reason = PictureTool.reason(of: outcome, report: report, hasRoom: hasRoom)
        #expect(reason is PictureTool.Failure == isOfPicture)
        #expect(reason is MediaWorkFault != isOfPicture)
    }

    @Test func `callers take turns at smaller versions of other nodes' pictures`() async throws {
        let (go, clock) = (folder.path("go"), ManualClock())
        let script = "while [ ! -e '\(go)' ]; do sleep 0.01; done; echo no picture; exit 1"
        let tool = try tool(script, clock: clock)
        let service = service(tool)
        var byteCounts: [Int] = []
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<5 {
                let bytes = Samples.png(30 + 40 * number, 20)
                byteCounts.append(try InspectedMedia(bytes).content.count)
                let media = await blobs.offer(bytes, form: .png)
                let caller: MediaCaller =
                    number < 4 ? .account(testKey(1).address) : .network("192.0.2.1")
                group.addTask {
                    _ = try? await service.sent(media.id.hex, side: 160, to: caller)
                }
                try await waitUntil {
                    let waiting = await tool.waitingCount
                    return runs.count == 1 && waiting == number
                }
            }
            clock.advance(.seconds(2))
            try Data().write(to: URL(filePath: go))
            try await group.waitForAll()
        }
        #expect(Set(byteCounts).count == 5 && runs.count == 5)
        #expect(runs.prefix(2) == [byteCounts[0], byteCounts[4]])
    }
}
