import NIOCore
import NIOPosix

/// Finds ports of this machine that nobody listens on.
///
/// Below 32768, where Linux takes no port for outgoing connections. A port that is free now is thus
/// still free when a node takes it, also after its restart.
enum FreePorts {
    private static let range = 20_000..<32_000

    /// Returns distinct free ports, excluding reserved ports on which nothing listens.
    static func find(_ count: Int, besides taken: Set<Int> = []) async throws -> [Int] {
        var found: [Int] = []
        var next = Int.random(in: range)
        for _ in range where found.count < count {
            next = next + 1 < range.upperBound ? next + 1 : range.lowerBound
            if !taken.contains(next), await isFree(next) { found.append(next) }
        }
        guard found.count == count else { throw ClusterError.noPort }
        return found
    }

    private static func isFree(_ port: Int) async -> Bool {
        do {
            let bootstrap = ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            let channel = try await bootstrap.bind(host: "127.0.0.1", port: port).get()
            try await channel.close()
            return true
        } catch {
            return false
        }
    }
}
