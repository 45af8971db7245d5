import Foundation
import Testing

/// Runs the committed inputs of the fuzz targets, without a fuzzer.
///
/// `STOA_WRITE_VECTORS=1 swift test --filter CorpusTests` adds the seeds to the corpus.
struct CorpusTests {
    private static let corpus = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "corpus")

    private static func files(of target: String) throws -> [URL] {
        try FileManager.default.contentsOfDirectory(
            at: corpus.appending(path: target),
            includingPropertiesForKeys: nil
        )
    }

    @Test(arguments: FuzzTarget.all)
    func `parsers keep their rules for each input of the corpus`(target: FuzzTarget) throws {
        var taken = 0
        for file in try Self.files(of: target.name) {
            let bytes = [UInt8](try Data(contentsOf: file))
            #expect(bytes.count <= target.byteCountMax, "\(file.lastPathComponent) is too long")
            do {
                taken += try target.takes(bytes) ? 1 : 0
            } catch {
                Issue.record("\(file.lastPathComponent): \(error)")
            }
        }
        #expect(taken > 0, "no input gets past the first check")
    }

    /// A fuzzer learns a form much faster from one example than from nothing.
    @Test(arguments: FuzzTarget.all)
    func `parsers accept the seeds that this node writes`(target: FuzzTarget) throws {
        let seeds = try FuzzSeeds.of(target.name)
        #expect(!seeds.isEmpty)
        for (number, seed) in seeds.enumerated() {
            #expect(try target.takes(seed), "seed \(number)")
            #expect(seed.count <= target.byteCountMax, "seed \(number)")
            guard ProcessInfo.processInfo.environment["STOA_WRITE_VECTORS"] == "1" else { continue }
            let folder = Self.corpus.appending(path: target.name)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try Data(seed).write(to: folder.appending(path: "seed-\(number)"))
        }
    }

    @Test func `each folder of the corpus belongs to a target`() throws {
        let folders = try FileManager.default.contentsOfDirectory(atPath: Self.corpus.path)
        #expect(folders.sorted() == FuzzTarget.all.map(\.name).sorted())
    }

    @Test func `the corpus stays small`() throws {
        let sizes = try FuzzTarget.all.flatMap { try Self.files(of: $0.name) }.map {
            try $0.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0
        }
        #expect(sizes.reduce(0, +) <= 400_000)
    }
}

extension FuzzTarget: CustomTestStringConvertible {
    var testDescription: String { name }
}
