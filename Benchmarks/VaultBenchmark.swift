import Keys
import Market

/// Reads a vault of 10,000 entries from the logs of four devices: opens each segment, decodes and
/// merges it.
enum VaultBenchmark {
    private static let entryCount = 10_000
    private static let deviceCount = 4
    private static let turns = 5
    private static let network = "benchmark"
    private static let goal = Duration.milliseconds(100)
    /// Those with most room, of which the limit of entries is 10,000 together.
    private static let sections: [VaultSection] = [.favourites, .contacts, .blocks, .readMarks]

    static func run() throws {
        let owner = PrivateKey.random()
        let key = VaultKey(of: owner)
        let segments = try segments(of: owner.address, key)
        let clock = ContinuousClock()
        var times: [Duration] = []
        for _ in 0..<turns {
            let start = clock.now
            var contents = VaultContents()
            for bytes in segments {
                contents.merge(try VaultSegment(bytes).open(with: key, network: network))
            }
            times.append(clock.now - start)
            guard contents.count == entryCount else { throw Wrong(count: contents.count) }
        }
        let median = times.sorted()[turns / 2]
        let milliseconds = median / .milliseconds(1)
        let verdict = median <= goal ? "reached" : "missed"
        print(
            "vault of \(entryCount) entries in \(segments.count) segments, opened and merged: "
                + "\(Int((milliseconds * 10).rounded())) tenths of a ms (\(goal) \(verdict))"
        )
    }

    private struct Wrong: Error {
        let count: Int
    }

    private static func segments(of account: Address, _ key: VaultKey) throws -> [[UInt8]] {
        var segments: [[UInt8]] = []
        for device in 0..<deviceCount {
            let signer = PrivateKey.random()
            let slot = DeviceCertificate.slot(of: signer.publicKey)
            var log = VaultLog(device: slot)
            let numbers = stride(from: device, to: entryCount, by: deviceCount)
            let entries = try numbers.map { try entry($0, device: slot) }
            for part in log.append(entries) {
                let segment = VaultSegment(
                    part,
                    of: account,
                    network: network,
                    key: key,
                    signer: signer
                )
                segments.append(segment.bytes)
            }
        }
        return segments
    }

    private static func entry(_ number: Int, device: Bytes32) throws -> VaultEntry {
        let name = Keccak256.hash([UInt8](String(number).utf8)).bytes
        // Favourites have the room of two others.
        let section = number % 5 < 2 ? 0 : number % 5 - 1
        return try VaultEntry(
            section: sections[section],
            name: name,
            value: Array(name.prefix(8)),
            time: Timestamp(milliseconds: 1_780_000_000_000 + UInt64(number)),
            device: device
        )
    }
}
