import Foundation
import Gossip

/// A node without a chain, in a process of its own.
final class NodeUnderTest {
    let folder: String
    let healthPort: UInt16
    private var process = Process()

    /// Makes its folder.
    init(folder: String) throws {
        self.folder = folder
        healthPort = try Program.freePort()
        try Program.run("init", "--data", folder)
        let settings = """
            network: bench
            listen: ["/ip4/127.0.0.1/tcp/0"]
            api:
              port: 0
            health:
              port: \(healthPort)
            log:
              level: error
            """
        try settings.write(toFile: folder + "/stoa.yaml", atomically: true, encoding: .utf8)
    }

    /// Starts it, and waits until `/readyz` says 200.
    ///
    /// - Returns: From just before the program is executed.
    func start() throws -> Duration {
        let clock = ContinuousClock()
        process = Process()
        process.executableURL = URL(filePath: Program.path)
        process.arguments = ["node", "run", "--data", folder]
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
        let caller = LoopbackCaller(port: healthPort)
        while true {
            let text = String(decoding: try caller.call("GET", "/metrics").body, as: UTF8.self)
            let taken =
                text.split(separator: "\n").lazy
                .filter { $0.hasPrefix("stoa_catalogue_change ") }
                .compactMap { Double($0.split(separator: " ")[1]) }.first ?? 0
            if taken >= Double(changes) { return }
            usleep(20_000)
        }
    }

    /// Anonymous memory now.
    func mebibytes() throws -> Double {
        let kibibytes = try Program.anonymousKibibytes(of: process.processIdentifier)
        return (Double(kibibytes) / 102.4).rounded() / 10
    }

    /// Where peers link to it.
    func address() throws -> Multiaddr {
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
}
