import Concurrency
import Ethereum
import Foundation
import Support
import Synchronization
import Testing

/// The transport over a real WebSocket, to a server that a test scripts.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct WebSocketTransportTests {
    private static let path = "/v3/secret?key=more"

    private func endpoint(_ port: Int, _ scheme: String = "ws") throws -> Endpoint {
        try Endpoint(url: "\(scheme)://localhost:\(port)\(Self.path)")
    }

    private static func call(_ name: String) -> [UInt8] {
        Array(#"{"jsonrpc":"2.0","id":0,"method":"\#(name)","params":[]}"#.utf8)
    }

    /// The id of a request, and the name of its method.
    private static func parts(_ request: String) -> (id: String, name: String) {
        let id = request.firstMatch(of: /"id":(\d+)/)?.output.1 ?? ""
        let name = request.firstMatch(of: /"method":"(\w+)"/)?.output.1 ?? ""
        return (String(id), String(name))
    }

    private static func answer(_ request: String) -> String {
        let (id, name) = parts(request)
        return #"{"jsonrpc":"2.0","id":\#(id),"result":"\#(name)"}"#
    }

    private static func expected(_ name: String) -> String {
        #"{"jsonrpc":"2.0","id":0,"result":"\#(name)"}"#
    }

    private func post(
        _ name: String,
        _ transport: EndpointTransport,
        _ endpoint: Endpoint,
        timeout: Duration = .seconds(60)
    ) async throws -> String {
        let answer = try await transport.post(
            Self.call(name),
            to: endpoint,
            bytesMax: 1 << 20,
            timeout: timeout
        )
        return String(decoding: answer, as: UTF8.self)
    }

    private func failure(
        _ name: String,
        _ transport: EndpointTransport,
        _ endpoint: Endpoint,
        timeout: Duration = .seconds(60)
    ) async throws -> RPCTransportError {
        let error = await #expect(throws: RPCTransportError.self) {
            try await post(name, transport, endpoint, timeout: timeout)
        }
        let found = try #require(error)
        #expect(!"\(found)".contains("secret") && !"\(found)".contains("more"))
        return found
    }

    /// Posts a call that must fail with this error.
    private func fails(
        _ name: String,
        _ expected: RPCTransportError,
        _ transport: EndpointTransport,
        _ endpoint: Endpoint
    ) async throws {
        let error = try await failure(name, transport, endpoint)
        #expect(error == expected)
    }

    /// Posts a call that must have its own answer.
    private func succeeds(
        _ name: String,
        _ transport: EndpointTransport,
        _ endpoint: Endpoint
    ) async throws {
        let answer = try await post(name, transport, endpoint)
        #expect(answer == Self.expected(name))
    }

    @Test func `gives each request its own answer over one connection, in any order`()
        async throws
    {
        let held = Mutex<[String]>([])
        let behaviour = EndpointServer.Behaviour { request, client in
            let all = held.withLock { held in
                held.append(request)
                return held.count == 20 ? held : []
            }
            // The newest first, some twice, and one in many frames.
            for (index, request) in all.reversed().enumerated() {
                client.send(Self.answer(request))
                if index % 3 == 0 { client.sendFragmented(Self.answer(request)) }
            }
        }
        try await EndpointServer.scoped(behaviour) { port, server in
            let endpoint = try endpoint(port)
            try await EndpointTransport.scoped { transport in
                try await withThrowingTaskGroup { group in
                    for index in 0..<20 {
                        group.addTask {
                            let answer = try await post("m\(index)", transport, endpoint)
                            #expect(answer == Self.expected("m\(index)"))
                        }
                    }
                    try await group.waitForAll()
                }
            }
            #expect(server.connectionCount == 1)
            #expect(server.asked == [Self.path])
        }
    }

    /// - From endpoints: a WebSocket closed during requests → all fail; the next endpoint is asked
    @Test func `fails waiting requests when the connection ends, then opens another`()
        async throws
    {
        let count = Mutex(0)
        let behaviour = EndpointServer.Behaviour { request, client in
            guard client.connection == 0 else { return client.send(Self.answer(request)) }
            if request.contains("first") { return client.send(Self.answer(request)) }
            let isLast = count.withLock { count in
                count += 1
                return count == 5
            }
            if isLast { client.close() }
        }
        try await EndpointServer.scoped(behaviour) { port, server in
            let endpoint = try endpoint(port)
            try await EndpointTransport.scoped { transport in
                _ = try await post("first", transport, endpoint)
                try await withThrowingTaskGroup { group in
                    for index in 0..<5 {
                        group.addTask {
                            let error = try await failure("m\(index)", transport, endpoint)
                            #expect(error == .unreachable(reason: "the connection ended"))
                        }
                    }
                    try await group.waitForAll()
                }
                try await succeeds("again", transport, endpoint)
            }
            #expect(server.connectionCount == 2)
        }
    }

    /// - From endpoints: a WebSocket message, overlong or not an answer → the connection ends
    @Test func `a half-close, an overlong message or nonsense ends the connection`() async throws {
        let behaviour = EndpointServer.Behaviour { request, client in
            switch Self.parts(request).name {
            case "half": client.closeHalf()
            case "long": client.send(String(repeating: "x", count: 100_000))
            case "nonsense": client.send("<html>")
            case "foreign": client.send(#"{"jsonrpc":"2.0","id":4711,"result":"0x1"}"#)
            default: client.send(Self.answer(request))
            }
        }
        var limits = ChainLimits()
        limits.answerBytesMax = 50_000
        limits.retryFirst = .zero
        try await EndpointServer.scoped(behaviour) { port, server in
            let endpoint = try endpoint(port)
            try await EndpointTransport.scoped(limits: limits) { transport in
                try await fails(
                    "half",
                    .unreachable(reason: "the connection ended"),
                    transport,
                    endpoint
                )
                try await fails("long", .oversized, transport, endpoint)
                try await fails(
                    "nonsense",
                    .unreachable(reason: "it sent a message that is not JSON-RPC"),
                    transport,
                    endpoint
                )
                try await fails(
                    "foreign",
                    .unreachable(reason: "it sent answers to requests that were never made"),
                    transport,
                    endpoint
                )
                try await succeeds("well", transport, endpoint)
            }
            #expect(server.connectionCount == 5)
        }
    }

    @Test func `times out an unanswered request and ignores its late answer`() async throws {
        let held = Mutex<[String]>([])
        let behaviour = EndpointServer.Behaviour { request, client in
            if request.contains("slow") { return held.withLock { $0.append(request) } }
            for request in held.withLock({ $0 }) { client.send(Self.answer(request)) }
            client.send(Self.answer(request))
        }
        try await EndpointServer.scoped(behaviour) { port, server in
            let endpoint = try endpoint(port)
            try await EndpointTransport.scoped { transport in
                let error = try await failure(
                    "slow",
                    transport,
                    endpoint,
                    timeout: .milliseconds(300)
                )
                #expect(error == .timedOut)
                try await succeeds("quick", transport, endpoint)
            }
            #expect(server.connectionCount == 1)
        }
    }

    /// - From endpoints: an endpoint that answers no ping → the connection ends
    @Test func `drops an endpoint that answers no ping`() async throws {
        var behaviour = EndpointServer.Behaviour { _, _ in }
        behaviour.answersPings = false
        var limits = ChainLimits()
        limits.socketSilenceMax = .milliseconds(50)
        try await EndpointServer.scoped(behaviour) { port, _ in
            let endpoint = try endpoint(port)
            try await EndpointTransport.scoped(limits: limits) { transport in
                try await fails(
                    "m",
                    .unreachable(reason: "it does not answer a ping"),
                    transport,
                    endpoint
                )
            }
        }
    }

    @Test func `drops an endpoint that sends pings and reads nothing`() async throws {
        let behaviour = EndpointServer.Behaviour { $1.pingWithoutReading() }
        var limits = ChainLimits()
        limits.answerTimeout = .milliseconds(200)
        try await EndpointServer.scoped(behaviour) { port, _ in
            let endpoint = try endpoint(port)
            try await EndpointTransport.scoped(limits: limits) { transport in
                try await fails(
                    "m",
                    .unreachable(reason: "it does not read requests"),
                    transport,
                    endpoint
                )
            }
        }
    }

    @Test func `unrequested or overlong announcements end the connection`() async throws {
        let stray =
            #"{"jsonrpc":"2.0","method":"eth_subscription","#
            + #""params":{"subscription":"0x1","result":1}}"#
        let long = stray.replacing("0x1", with: String(repeating: "x", count: 70_000))
        let behaviour = EndpointServer.Behaviour { request, client in
            if request.contains("long") { return client.send(long) }
            if request.contains("many") {
                for _ in 0...1_000 { client.send(stray) }
                return
            }
            for _ in 0..<1_000 { client.send(stray) }
            client.send(Self.answer(request))
        }
        var limits = ChainLimits()
        limits.retryFirst = .zero
        try await EndpointServer.scoped(behaviour) { port, server in
            let endpoint = try endpoint(port)
            try await EndpointTransport.scoped(limits: limits) { transport in
                try await succeeds("some", transport, endpoint)
                try await fails(
                    "many",
                    .unreachable(reason: "it sent announcements without end"),
                    transport,
                    endpoint
                )
                try await fails(
                    "long",
                    .unreachable(reason: "it sent an announcement that is too long"),
                    transport,
                    endpoint
                )
            }
        }
    }

    @Test func `reports a refused WebSocket's status and the pause it asks for`() async throws {
        for (status, headers, expected) in [
            (401, [:], RPCTransportError.status(401)),
            (429, ["retry-after": "12"], .busy(status: 429, retryAfter: .seconds(12))),
            (200, [:], .status(200)),
        ] {
            var behaviour = EndpointServer.Behaviour { _, _ in }
            behaviour.refusal = (status, headers)
            try await EndpointServer.scoped(behaviour) { port, _ in
                let endpoint = try endpoint(port)
                try await EndpointTransport.scoped { transport in
                    try await fails("m", expected, transport, endpoint)
                }
            }
        }
    }

    @Test func `tries a dead endpoint again after growing pauses`() async throws {
        let endpoint = try Endpoint(url: "ws://127.0.0.1:9/secret")
        let clock = SteppedClock()
        try await EndpointTransport.scoped(clock: clock) { transport in
            let refused = RPCTransportError.unreachable(reason: "Connection refused")
            let words = "Connection refused; it is tried again in 1 s"
            let waits = RPCTransportError.unreachable(reason: words)
            try await fails("m", refused, transport, endpoint)
            try await fails("m", waits, transport, endpoint)
            clock.advance(.seconds(1))
            try await fails("m", refused, transport, endpoint)
            clock.advance(.milliseconds(999))
            try await fails("m", waits, transport, endpoint)
            clock.advance(.milliseconds(1))
            try await fails("m", refused, transport, endpoint)
        }
    }

    /// - From endpoints: an untrusted certificate, or another host's → no connection, with the reason
    @Test func `accepts only a trusted certificate over TLS`() async throws {
        let behaviour = EndpointServer.Behaviour { $1.send(Self.answer($0)) }
        try await EndpointServer.scoped(behaviour, isSecure: true) { port, _ in
            let endpoint = try endpoint(port, "wss")
            try await EndpointTransport.scoped(tls: TestCertificate.clientConfiguration()) {
                transport in
                try await succeeds("m", transport, endpoint)
                // The certificate is another name's.
                let other = try Endpoint(url: "wss://127.0.0.1:\(port)\(Self.path)")
                guard case .unreachable(let reason) = try await failure("m", transport, other)
                else { return }
                #expect(reason.contains("certificate"))
            }
            try await EndpointTransport.scoped { transport in
                guard case .unreachable(let reason) = try await failure("m", transport, endpoint)
                else { return }
                #expect(reason.contains("certificate"), "\(reason)")
            }
        }
    }

    /// - From endpoints: duplicate, reordered, late or lost answers → no request gets a wrong answer
    @Test(arguments: 1...4 as ClosedRange<UInt64>)
    func `no request gets another's answer, whatever the endpoint does`(seed: UInt64) async throws {
        let chaos = Mutex((random: SeededRandom(seed: seed), held: [String](), isHealed: false))
        let behaviour = EndpointServer.Behaviour { request, client in
            let answers = chaos.withLock { chaos -> [String] in
                if chaos.isHealed { return [Self.answer(request)] }
                let answer = Self.answer(request)
                switch Int.random(in: 0..<12, using: &chaos.random) {
                case 0: return []
                case 1: return ["close"]
                case 2: return ["half"]
                case 3: return ["<html>"]
                case 4: return [answer, answer]
                case 5, 6:
                    chaos.held.append(answer)
                    return []
                default:
                    defer { chaos.held = [] }
                    return ([answer] + chaos.held).shuffled(using: &chaos.random)
                }
            }
            for answer in answers {
                switch answer {
                case "close": client.close()
                case "half": client.closeHalf()
                default: client.send(answer)
                }
            }
        }
        var limits = ChainLimits()
        limits.retryFirst = .zero
        try await EndpointServer.scoped(behaviour) { port, server in
            let endpoint = try endpoint(port)
            try await EndpointTransport.scoped(limits: limits) { transport in
                try await withThrowingTaskGroup { group in
                    for client in 0..<8 {
                        group.addTask {
                            for number in 0..<30 {
                                let name = "m\(client)x\(number)"
                                let answer = try? await post(
                                    name,
                                    transport,
                                    endpoint,
                                    timeout: .milliseconds(200)
                                )
                                #expect(answer == nil || answer == Self.expected(name))
                            }
                        }
                    }
                    try await group.waitForAll()
                }
                chaos.withLock { $0.isHealed = true }
                // Its connection may be one that is ending.
                _ = try? await post("m", transport, endpoint)
                try await succeeds("last", transport, endpoint)
            }
            #expect(server.connectionCount > 3)
        }
    }

    @Test func `parses an endpoint's URL and hides possible secrets in it`() throws {
        let socket = try Endpoint(url: "WSS://Eth.Example/v3/secret?k=1")
        #expect(socket.isWebSocket && socket.isSecure && socket.port == 443)
        #expect(socket.name.description == "wss://eth.example")
        #expect(Endpoint.shown(socket.url) == "wss://eth.example/…")
        // One source, however it is asked.
        #expect(try socket.place == Endpoint(url: "https://eth.example/other").place)
        let local = try Endpoint(url: "ws://[::1]:8546")
        #expect(local.host == "::1" && local.port == 8_546 && !local.isSecure)
        #expect(throws: EndpointError.scheme("wsx")) { try Endpoint(url: "wsx://eth.example") }
    }
}
