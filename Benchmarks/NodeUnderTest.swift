import Foundation
import GossipProtocol

/// A node without a chain, in a process of its own.
final class NodeUnderTest {
    let folder: String
    let healthPort: UInt16
    /// The processor it runs on alone; `nil` for any.
    private let processor: Int?
    private var process = Process()
    var processID: Int32 { process.processIdentifier }

    /// Makes its folder, in which `settings` are more lines of its configuration.
    ///
    /// `listen` is a multiaddr; `apiPort` may be 0, for any.
    init(
        folder: String,
        network: String = "bench",
        listen: String = "/ip4/127.0.0.1/tcp/0",
        apiPort: UInt16 = 0,
        processor: Int? = nil,
        settings more: String = ""
    ) throws {
        self.folder = folder
        self.processor = processor
        healthPort = try Program.freePort()
        try Program.run("init", "--data", folder)
        let settings = """
            network: \(network)
            listen: ["\(listen)"]
            api:
              port: \(apiPort)
            health:
              port: \(healthPort)
            log:
              level: error
            \(more)
            """
        try settings.write(toFile: folder + "/stoa.yaml", atomically: true, encoding: .utf8)
    }

    /// Starts it, and waits until `/readyz` says 200.
    ///
    /// - Returns: From just before the program is executed.
    func start() throws -> Duration {
        let clock = ContinuousClock()
        process = Process()
        let command = [Program.path, "node", "run", "--data", folder]
        let pin = processor.map { ["/usr/bin/taskset", "-c", "\($0)"] } ?? []
        process.executableURL = URL(filePath: (pin + command)[0])
        process.arguments = Array((pin + command).dropFirst())
        let caller = LoopbackCaller(port: healthPort)
        let start = clock.now
        try process.run()
        while (try? caller.call("GET", "/readyz").status) != 200 {
            guard process.isRunning else { throw BenchmarkFault.ended("the node of \(folder)") }
            guard clock.now - start < .seconds(600) else {
                throw BenchmarkFault.notInTime("the node of \(folder)")
            }
            usleep(500)
        }
        return clock.now - start
    }

    /// Waits until the search index has taken in as many changes as the store had.
    func waitForIndex(of changes: Int) throws {
        while try figure("stoa_catalogue_change") < Double(changes) { usleep(20_000) }
    }

    /// Waits until it has a record that a sale on its chain vouches for.
    func waitForAnchoredRecord() throws {
        for _ in 0..<600 {
            if try figure("stoa_lane_records{lane=\"anchored\"}") > 0 { return }
            usleep(100_000)
        }
        throw BenchmarkFault.notInTime("the listing at the node of \(folder)")
    }

    /// Seconds of processor time that it has used.
    func processorSeconds() throws -> Double {
        try Program.processorSeconds(of: processID)
    }

    /// A figure of `/metrics`, all its labels added up; 0 if it has none of that name.
    func figure(_ name: String) throws -> Double {
        let text = try LoopbackCaller(port: healthPort).call("GET", "/metrics").body
        return String(decoding: text, as: UTF8.self).split(separator: "\n").lazy
            .filter { $0.hasPrefix(name + " ") || $0.hasPrefix(name + "{") }
            .compactMap { $0.split(separator: " ").last.flatMap { Double($0) } }
            .reduce(0, +)
    }

    /// Whether `/readyz` says 200.
    var isReady: Bool {
        (try? LoopbackCaller(port: healthPort).call("GET", "/readyz").status) == 200
    }

    /// Anonymous memory now.
    func mebibytes() throws -> Double {
        let kibibytes = try Program.anonymousKibibytes(of: processID)
        return (Double(kibibytes) / 102.4).rounded() / 10
    }

    /// The operator's token.
    func token() throws -> String {
        try String(contentsOfFile: folder + "/node.token", encoding: .utf8)
            .trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Where peers link to it.
    func address() throws -> Multiaddr { try Self.address(of: folder) }

    /// Where peers link to the node of a folder.
    static func address(of folder: String) throws -> Multiaddr {
        struct Running: Decodable {
            let peer: String
            let addresses: [String]
        }
        // Written after the ports are open.
        let file = folder + "/node.address"
        while !FileManager.default.fileExists(atPath: file) { usleep(1_000) }
        let data = try Data(contentsOf: URL(filePath: file))
        let running = try JSONDecoder().decode(Running.self, from: data)
        let text = (running.addresses.first ?? "").split(separator: "/p2p/")[0]
        guard let address = Multiaddr(text: "\(text)/p2p/\(running.peer)") else {
            throw BenchmarkFault.ended("an address of \(folder)")
        }
        return address
    }

    func stop() {
        guard process.isRunning else { return }
        process.terminate()
        process.waitUntilExit()
    }

    /// What its store takes on disk.
    func storedBytes() throws -> Double { try figure("stoa_store_bytes") }

    /// What it still holds besides links to so many peers; nothing if that is as it should be.
    func left(besides expected: Int) throws -> [String] {
        var left: [String] = []
        if !isReady { left.append("not ready") }
        let peers = Int(try figure("stoa_peers"))
        if peers != expected { left.append("\(peers) peers") }
        for name in [
            "stoa_link_unread_bytes", "stoa_link_outgoing_bytes", "stoa_link_budget_faults",
            "stoa_gossip_outbox_bytes",
        ] {
            let value = Int(try figure(name))
            if value != 0 { left.append("\(name) \(value)") }
        }
        return left
    }
}
