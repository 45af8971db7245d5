import Client
import Foundation
import NIOHTTP1
import Setup
import Support
import Testing

/// Pictures and documents over the API, with the real tool.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct MediaCallTests {
    private typealias Samples = MediaSamples

    private static func add(
        _ bytes: [UInt8]?,
        to node: TestNode,
        token: String?
    ) async throws -> TestNode.Answer {
        try await node.send(.POST, "media", bytes, token: token)
    }

    /// A node, and somebody who is signed in to it.
    private static func run(
        _ body: @escaping @Sendable (_ node: TestNode, _ token: String) async throws -> Void
    ) async throws {
        try await TestNode.run { node in
            try await body(node, try await node.signIn("ana").token)
            let work = try? FileManager.default.contentsOfDirectory(
                atPath: node.folder + "/media-work"
            )
            #expect(work ?? [] == [], "something is left of the work")
        }
    }

    @Test func `sends a picture with the headers that protect browsers`() async throws {
        try await Self.run { node, token in
            let added = try await Self.add(Samples.png(800, 400), to: node, token: token)
            #expect(added.status == 201)
            let file: MediaFile = try added.read()
            #expect(file.type == "image/webp" && file.width == 800 && file.height == 400)
            let again: MediaFile = try await Self.add(Samples.png(800, 400), to: node, token: token)
                .read()
            #expect(again == file)

            let answer = try await node.call(.GET, "media/\(file.id)", token: token)
            #expect(answer.status == 200 && UInt64(answer.body.count) == file.length)
            for (name, value) in [
                ("content-type", "image/webp"), ("etag", "\"\(file.id)\""),
                ("cache-control", "private, max-age=31536000, immutable"),
                ("x-content-type-options", "nosniff"), ("accept-ranges", "bytes"),
                ("cross-origin-resource-policy", "same-origin"),
                ("content-length", "\(file.length)"),
            ] {
                #expect(answer.headers.first(name: name) == value, "\(name)")
            }
            let policy = answer.headers["content-security-policy"]
            #expect(policy == ["default-src 'none'; sandbox; frame-ancestors 'none'"])
            #expect(answer.headers.first(name: "content-disposition") == nil)
            for side in [160, 640] {
                let small = try await node.call(.GET, "media/\(file.id)?size=\(side)", token: token)
                #expect(small.status == 200 && small.body.count < answer.body.count)
                #expect(small.headers.first(name: "content-type") == "image/webp")
                #expect(small.headers.first(name: "etag") == "\"\(file.id)-\(side)\"")
            }
        }
    }

    /// - From people: a smaller version of a document; a `size` other than 160 or 640 → bad_media,
    ///   malformed_value
    /// - From people: a `Range` beyond the end of a file → range_not_satisfiable, with
    ///   `Content-Range`
    @Test func `honours ranges and conditional requests`() async throws {
        try await Self.run { node, token in
            let file: MediaFile = try await Self.add(Samples.pdf(), to: node, token: token).read()
            let whole = Samples.pdf()
            func get(_ headers: [String: String]) async throws -> TestNode.Answer {
                try await node.call(.GET, "media/\(file.id)", token: token, headers: headers)
            }
            let part = try await get(["range": "bytes=2-5"])
            #expect(part.status == 206 && Array(part.body) == Array(whole[2...5]))
            #expect(part.headers.first(name: "content-range") == "bytes 2-5/\(whole.count)")
            let tag = "\"\(file.id)\""
            #expect(try await get(["range": "bytes=-3", "if-range": tag]).body.count == 3)
            #expect(try await get(["range": "bytes=-3", "if-range": "\"other\""]).status == 200)
            #expect(try await get(["range": "bytes=0-1,3-4"]).status == 200)
            let outside = try await get(["range": "bytes=\(whole.count)-"])
            #expect(outside.status == 416 && outside.code == "range_not_satisfiable")
            #expect(outside.headers.first(name: "content-range") == "bytes */\(whole.count)")
            for known in [tag, "W/\(tag)", "\"other\", \(tag)", "*"] {
                let same = try await get(["if-none-match": known])
                #expect(same.status == 304 && same.body.isEmpty, "\(known)")
                #expect(same.headers.first(name: "etag") == tag)
            }
            #expect(try await get(["if-none-match": "\"other\""]).status == 200)
            let head = try await node.call(.HEAD, "media/\(file.id)", token: token)
            #expect(head.status == 200 && head.body.isEmpty)
            #expect(head.headers.first(name: "content-length") == "\(whole.count)")
            let small = try await node.call(.GET, "media/\(file.id)?size=160", token: token)
            #expect(small.status == 422 && small.code == "bad_media")
            let odd = try await node.call(.GET, "media/\(file.id)?size=7", token: token)
            #expect(odd.status == 400 && odd.code == "malformed_value")
        }
    }

    /// - From people: a document with a script → sent only as an attachment
    @Test func `keeps a document unchanged and serves it only as a download`() async throws {
        try await Self.run { node, token in
            let file: MediaFile = try await Self.add(Samples.pdf(), to: node, token: token).read()
            #expect(file.type == "application/pdf" && file.width == nil)
            let answer = try await node.call(.GET, "media/\(file.id)", token: token)
            #expect(Array(answer.body) == Samples.pdf())
            let disposition = answer.headers.first(name: "content-disposition")
            #expect(disposition?.hasPrefix("attachment; filename=\"stoa-") == true)
            #expect(disposition?.hasSuffix(".pdf\"") == true)
            let policy = answer.headers.first(name: "content-security-policy")
            #expect(policy?.contains("sandbox") == true)
        }
    }

    /// - From people: a file that is not a JPEG, PNG or WebP picture or a PDF document, whatever
    ///   its name → unsupported_media_type
    /// - From people: a picture or document that is empty, truncated or damaged, an animated
    ///   picture, a document that continues after its end (and can be read as another file) →
    ///   bad_media
    /// - From people: a picture of more than 50 million pixels, such as 65,535 × 65,535 in a few
    ///   bytes → bad_media
    /// - From people: a picture that the decoder cannot read → bad_media
    @Test func `refuses a bad file with the reason and keeps running`() async throws {
        try await Self.run { node, token in
            let pixels = [("VP8 ", Samples.webpPixels(300, 200))]
            var damaged = Samples.png(300, 200)
            damaged[damaged.count / 2] ^= 0xFF
            for (bytes, status, code, words) in [
                (Array("GIF89a".utf8), 415, "unsupported_media_type", "a GIF picture"),
                (Array("<html>".utf8), 415, "unsupported_media_type", "a web page"),
                (Array("MZ".utf8), 415, "unsupported_media_type", "whatever the file's name"),
                ([], 422, "bad_media", "is empty"),
                (Samples.bomb(65_535, 65_535), 422, "bad_media", "more than 50 million"),
                (Array(Samples.png(30, 20).dropLast(9)), 422, "bad_media", "is incomplete"),
                (Samples.pdf() + Samples.png(30, 20), 422, "bad_media", "after the end"),
                (Samples.webp(pixels), 422, "bad_media", "cannot be decoded"),
                (Samples.jpeg(300, 200), 422, "bad_media", "cannot be decoded"),
                (damaged, 422, "bad_media", "cannot be decoded"),
                (
                    Samples.png(3, 2, chunks: [("acTL", [0, 0, 0, 2, 0, 0, 0, 0])]), 422,
                    "bad_media", "animated"
                ),
            ] as [([UInt8], Int, String, String)] {
                let answer = try await Self.add(bytes, to: node, token: token)
                #expect(answer.status == status && answer.code == code, "\(words)")
                let problem: Problem = try answer.read()
                #expect(problem.detail.contains(words), "\(problem.detail)")
                #expect(problem.reason?.detail == problem.detail)
            }
            #expect(try await Self.add(Samples.png(3, 2), to: node, token: token).status == 201)
        }
    }

    /// - From people: a picture or document that neither this node nor a peer has, or a partial id
    ///   → unknown_media
    @Test func `only a signed-in caller can add files; missing files are reported`() async throws {
        try await Self.run { node, token in
            let stranger = try await Self.add(Samples.png(3, 2), to: node, token: nil)
            #expect(stranger.status == 401 && stranger.code == "sign_in_needed")
            let elsewhere = ["x-forwarded-for": "192.0.2.7"]
            let unread = try await node.call(.GET, "media/0x00", headers: elsewhere)
            #expect(unread.status == 401 && unread.code == "sign_in_needed")
            let id = "0x" + String(repeating: "0f", count: 32)
            for unknown in [id, "0x0f", "none"] {
                let answer = try await node.call(.GET, "media/\(unknown)", token: token)
                #expect(answer.status == 404 && answer.code == "unknown_media", "\(unknown)")
            }
        }
    }

    @Test func `a file that is not here is refused at once, unless the call waits`() async throws {
        try await Self.run { node, token in
            let added = try await Self.add(Samples.png(200, 20), to: node, token: token)
            let file: MediaFile = try added.read()
            let address = try NodeAddress(text: node.running.api)
            _ = try await StoaClient.scoped(address, token: token) { client in
                try await client.changeProfile(ProfileChange(avatar: file.id))
            }
            let folder = DataFolder(path: node.folder).blobsFolder
            for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
                try Data([1]).write(to: URL(filePath: folder).appending(path: name))
            }
            // The damage is found when the file is read.
            let first = try await node.call(.GET, "media/\(file.id)", token: token)
            #expect(first.status == 404 && first.code == "unknown_media")
            let second = try await node.call(.GET, "media/\(file.id)", token: token)
            #expect(second.status == 503 && second.code == "media_unavailable")
            #expect(second.headers.first(name: "retry-after").flatMap { Int($0) } ?? 0 > 0)
            let waited = try await node.call(.GET, "media/\(file.id)?wait=true", token: token)
            #expect(waited.status == 404 && waited.code == "unknown_media")
            // The smaller version is still here.
            let small = try await node.call(.GET, "media/\(file.id)?size=160", token: token)
            #expect(small.status == 200)
        }
    }

    /// - From people: a file over 15 MiB: by its Content-Length before it arrives, or as soon as it
    ///   is longer; the connection ends → body_too_large
    @Test func `refuses an overlong file before or during the upload`() async throws {
        try await Self.run { node, token in
            let address = try NodeAddress(text: node.running.api)
            let head =
                "POST /v1/media HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer \(token)\r\n"
            let announced = try await RawSocket.send(
                (head + "content-length: 15728641\r\n\r\n").utf8,
                host: address.host,
                port: address.port,
                leavesOpen: true
            )
            #expect(announced.hasPrefix("HTTP/1.1 413"))
            #expect(announced.contains("A file can have at most 15 MiB (15728640 bytes)"))
            let work = try await RawSocket.send(
                (head.replacing("/v1/media", with: "/v1/works?name=a")
                    + "content-length: 15728641\r\n\r\n").utf8,
                host: address.host,
                port: address.port,
                leavesOpen: true
            )
            #expect(work.hasPrefix("HTTP/1.1 413") && work.contains("15 MiB less 28 bytes"))
            let piece = "100000\r\n" + String(repeating: "x", count: 1 << 20) + "\r\n"
            let streamed = try await RawSocket.send(
                (head + "transfer-encoding: chunked\r\n\r\n"
                    + String(repeating: piece, count: 16) + "0\r\n\r\n").utf8,
                host: address.host,
                port: address.port
            )
            #expect(streamed.hasPrefix("HTTP/1.1 413"))
            let most = [UInt8](repeating: 0, count: 15_728_640)
            #expect(try await Self.add(most, to: node, token: token).status == 415)
        }
    }
}
