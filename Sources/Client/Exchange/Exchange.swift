import AsyncHTTPClient
import Concurrency
import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix

/// Sends requests to one node and takes its answers; tries again if the connection fails.
struct Exchange: Sendable {
    private typealias Received = (
        status: Int, type: String?, name: String?, location: String?, bytes: [UInt8]
    )

    let http: HTTPClient
    let node: NodeAddress
    let limits: ClientLimits
    let clock: any MonotonicClock
    var token: String?

    /// Sends a call, and decodes the answer.
    ///
    /// - Throws: ``Problem`` if the node refuses, otherwise ``ClientError``.
    func perform<Answer: Decodable & Sendable>(_ call: Call) async throws -> Answer {
        let (status, _, _, _, bytes) = try await answer(to: call)
        do {
            return try WireCoding.decoder().decode(Answer.self, from: Data(bytes))
        } catch {
            throw ClientError.unexpected(node, status: status, reason: "an answer in another form")
        }
    }

    /// Sends a call, and returns the content of its answer as it is.
    func content(of call: Call) async throws -> MediaContent {
        let (_, type, name, location, bytes) = try await answer(to: call)
        var content = MediaContent(
            type: type ?? "application/octet-stream",
            bytes: bytes,
            name: name
        )
        content.location = location
        return content
    }

    /// Sends a call, and ignores the content of its answer.
    func perform(_ call: Call) async throws {
        _ = try await answer(to: call)
    }

    /// Sends a call until it is answered or has failed often enough.
    ///
    /// An answer with an error status is thrown.
    private func answer(to call: Call) async throws -> Received {
        var failures = 0
        while true {
            do {
                let answer = try await send(call)
                guard answer.status >= 300 else { return answer }
                throw refusal(answer.status, answer.bytes)
            } catch let nobody as ConnectionRefused {
                // Waiting a second for a node on this machine that does not run is of no use.
                throw nobody.error
            } catch ClientError.unreachable(let node, let reason) {
                failures += 1
                guard call.mayRepeat, failures < limits.tries else {
                    throw ClientError.unreachable(node, reason: reason)
                }
                try await clock.wait(limits.wait(afterFailures: failures))
            }
        }
    }

    private func refusal(_ status: Int, _ bytes: [UInt8]) -> any Error {
        do {
            return try WireCoding.decoder().decode(Problem.self, from: Data(bytes))
        } catch {
            return ClientError.unexpected(node, status: status, reason: "no problem document")
        }
    }

    private func send(_ call: Call) async throws -> Received {
        // The HTTP client's own deadline ends with the answer's head; this one limits a slow body
        // too.
        try await withTimeLimit(
            limits.answerTimeout(afterBytes: call.body?.count ?? 0),
            throwing: ClientError.timedOut(node),
            clock: clock
        ) {
            try await withThrowingTaskGroup(of: Received?.self) { group in
                defer { group.cancelAll() }
                group.addTask { try await transmit(call) }
                group.addTask {
                    try await clock.wait(limits.silence)
                    try await checkAnswers()
                    return nil
                }
                for try await received in group {
                    if let received { return received }
                }
                throw ClientError.timedOut(node)
            }
        }
    }

    /// Checks that the node answers a call that costs it no time; any answer is good.
    ///
    /// - Throws: ``ClientError/silent(_:)``
    private func checkAnswers() async throws {
        do {
            try await withTimeLimit(
                limits.silence,
                throwing: ClientError.silent(node),
                clock: clock
            ) {
                _ = try await transmit(Call(API.node.status.facts, at: nil))
            }
        } catch ClientError.silent(let node) {
            throw ClientError.silent(node)
        } catch is ClientError {
            // The node answers; the call itself reports the fault.
        }
    }

    private func transmit(_ call: Call) async throws -> Received {
        let bytesMax = call.answerBytesMax ?? limits.answerBytesMax
        do {
            let response = try await http.execute(try request(for: call), deadline: .distantFuture)
            let body = try await response.body.collect(upTo: bytesMax)
            let type = response.headers.first(name: "content-type")
            let name = response.headers.first(name: "content-disposition").flatMap(Self.name)
            let location = response.headers.first(name: "content-location")
            return (Int(response.status.code), type, name, location, Array(body.readableBytesView))
        } catch let error as ClientError {
            throw error
        } catch is NIOTooManyBytesError {
            throw ClientError.oversized(node, bytesMax: bytesMax)
        } catch let error as HTTPClientError {
            if error == .cancelled { throw CancellationError() }
            throw ClientError.unreachable(node, reason: error.shortDescription)
        } catch is CancellationError {
            throw CancellationError()
        } catch let error as NIOConnectionError {
            let cause = error.connectionErrors.first?.error as? IOError
            guard let cause else {
                let isUnknown = error.connectionErrors.isEmpty
                throw ClientError.unreachable(
                    node,
                    reason: isUnknown ? "no address is known for this name" : "no connection"
                )
            }
            throw unreachable(cause)
        } catch let error as IOError {
            throw unreachable(error)
        } catch {
            throw ClientError.unreachable(node, reason: "\(type(of: error))")
        }
    }

    /// Returns the name of a file in its extended form.
    ///
    /// Source: RFC 6266, section 4.3; RFC 8187.
    private static func name(_ disposition: String) -> String? {
        let mark = "filename*=UTF-8''"
        guard let place = disposition.range(of: mark) else { return nil }
        return String(disposition[place.upperBound...].prefix { $0 != ";" }).removingPercentEncoding
    }

    private func unreachable(_ cause: IOError) -> any Error {
        let error = ClientError.unreachable(node, reason: Self.words(of: cause))
        let isOfThisMachine = cause.errnoCode == ECONNREFUSED && node.isLoopback
        return isOfThisMachine ? ConnectionRefused(error: error) : error
    }

    /// Returns the system's reason, such as `Connection refused`.
    private static func words(of error: IOError) -> String {
        unsafe String(cString: strerror(error.errnoCode))
    }

    private static func content(
        _ bytes: ByteBuffer,
        _ progress: (@Sendable (Int) -> Void)?
    ) -> HTTPClientRequest.Body {
        guard let progress else { return .bytes(bytes) }
        let body = UploadBody(bytes: bytes, progress: progress)
        return .stream(body, length: .known(Int64(bytes.readableBytes)))
    }

    private func request(for call: Call) throws(ClientError) -> HTTPClientRequest {
        var parts = URLComponents()
        parts.scheme = "http"
        parts.encodedHost = node.hostInURL
        parts.port = node.port
        parts.percentEncodedPath = call.path
        let items = call.query.filter { $0.value != nil }
        if !items.isEmpty {
            parts.queryItems = items.map { URLQueryItem(name: $0.name, value: $0.value) }
        }
        // Servers that read forms take a plus sign for a space.
        parts.percentEncodedQuery = parts.percentEncodedQuery?.replacing("+", with: "%2B")
        guard let url = parts.string else { throw .badAddress(call.path) }
        var request = HTTPClientRequest(url: url)
        request.method = call.method
        request.headers.add(name: "accept", value: call.accepts)
        if let token { request.headers.add(name: "authorization", value: "Bearer \(token)") }
        if let key = call.key { request.headers.add(name: "idempotency-key", value: key.text) }
        if let body = call.body {
            request.headers.add(name: "content-type", value: call.bodyType)
            request.body = Self.content(ByteBuffer(bytes: body), call.progress)
        }
        return request
    }
}

/// A port of this machine refused the connection: no program listens there.
private struct ConnectionRefused: Error {
    let error: ClientError
}
