import Foundation
import Storage
import Support
import Testing

struct DataFileTests {
    private func fill(_ folder: TemporaryFolder) throws {
        let environment = try Sample.environment(folder.path)
        try environment.write { transaction in
            for step in 0..<5_000 as Range<UInt64> {
                try transaction.put(Steps.self, CompositeKey(1, step), step)
            }
            let large = [UInt8](repeating: 7, count: 40_000)
            try transaction.put(Words.self, "large", large)
        }
    }

    private func data(_ folder: TemporaryFolder) throws -> FileHandle {
        try FileHandle(forUpdating: folder.url.appending(path: "data.mdb"))
    }

    /// - From commands: a truncated store → exit 1
    @Test func `refuses a file cut off anywhere`() throws {
        let folder = try TemporaryFolder()
        try fill(folder)
        let whole = try Data(contentsOf: folder.url.appending(path: "data.mdb"))
        #expect(whole.count > 200_000)

        for length in stride(from: 100, to: whole.count, by: 9_973) {
            try whole.prefix(length).write(to: folder.url.appending(path: "data.mdb"))
            let error = #expect(throws: StorageError.self) {
                try Sample.environment(folder.path)
            }
            guard case .corrupt(.truncated(_, let byteCount, let needed)) = error else {
                Issue.record("\(length) bytes: \(String(describing: error))")
                continue
            }
            #expect(byteCount == length && needed > length)
        }
        try whole.write(to: folder.url.appending(path: "data.mdb"))
        let environment = try Sample.environment(folder.path)
        #expect(try environment.stepCount() == 5_000)
    }

    @Test func `does not count unwritten pages at the end as damage`() throws {
        let folder = try TemporaryFolder()
        do {
            let environment = try Sample.environment(folder.path)
            try environment.write { transaction in
                for step in 0..<5_000 as Range<UInt64> {
                    try transaction.put(Steps.self, CompositeKey(1, step), step)
                }
                try transaction.remove(Steps.self, .prefix(1 as UInt8))
                try transaction.put(Words.self, "kept", [1])
            }
        }

        for _ in 0..<3 {
            let environment = try Sample.environment(folder.path)
            #expect(try environment.word("kept") == [1])
        }
    }

    @Test(.timeLimit(.minutes(1))) func `detects pages that form a cycle as damage`() throws {
        let folder = try TemporaryFolder()
        try fill(folder)
        let file = folder.url.appending(path: "data.mdb")
        var bytes = [UInt8](try Data(contentsOf: file))
        let page = 4_096
        let branches = (2..<bytes.count / page).filter { bytes[$0 * page + 10] & 0x01 != 0 }
        #expect(!branches.isEmpty)
        for branch in branches {
            let first =
                branch * page + Int(bytes[branch * page + 16])
                + Int(bytes[branch * page + 17]) << 8
            bytes[first] = UInt8(branch & 0xff)
            bytes[first + 1] = UInt8(branch >> 8)
        }
        // Both headers say that there are more pages, so that every page in use is looked for.
        for header in [0, page] { bytes[header + 16 + 121] += 1 }
        try Data(bytes).write(to: file)

        let error = #expect(throws: StorageError.self) { try Sample.environment(folder.path) }
        guard case .corrupt(.page) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test func `refuses a file that is not a store and names it`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("data.mdb")
        try Data(repeating: 0x41, count: 100_000).write(to: URL(filePath: path))

        #expect(throws: StorageError.corrupt(.notAStore(file: path))) {
            try Sample.environment(folder.path)
        }
    }

    @Test func `does not take an empty file or a folder for a new store`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("data.mdb")
        try Data().write(to: URL(filePath: path))
        let error = #expect(throws: StorageError.self) { try Sample.environment(folder.path) }
        #expect(error?.description.contains("restore a backup") == true)

        try FileManager.default.removeItem(atPath: path)
        for name in ["lock.mdb", "data.mdb", "stoa.lock"] {
            let file = folder.path(name)
            try? FileManager.default.removeItem(atPath: file)
            try FileManager.default.createDirectory(
                atPath: file,
                withIntermediateDirectories: false
            )
            #expect(throws: StorageError.notAFile(path: file)) {
                try Sample.environment(folder.path)
            }
        }
    }

    @Test func `names a malformed value and its table`() throws {
        let folder = try TemporaryFolder()
        do {
            let environment = try Sample.environment(folder.path)
            try environment.write { try $0.put(Words.self, "a", [1, 2, 3]) }
        }
        enum Numbers: Table {
            typealias Key = String
            typealias Value = UInt64
            static let name = Words.name
        }
        let environment = try Environment(
            folder: folder.path,
            schema: Schema(number: 1, oldest: 1, trees: [.own(Numbers.self)])
        )

        #expect(throws: StorageError.corrupt(.value(table: "words"))) {
            try environment.read { try $0.get(Numbers.self, "a") }
        }
    }
}
