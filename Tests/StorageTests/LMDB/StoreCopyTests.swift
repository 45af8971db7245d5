import Foundation
import Storage
import Support
import Testing

struct StoreCopyTests {
    @Test func `a copy made during writes contains all acknowledged writes`() throws {
        let folder = try TemporaryFolder()
        let writer = try WriterProcess([folder.path])
        try writer.acknowledge(50)
        let before = writer.acknowledged

        let copies = try (0..<3).map { _ in
            let copy = try TemporaryFolder()
            try StoreCopy.make(of: folder.path, in: copy.path)
            return copy
        }
        try writer.kill()

        #expect(before.count >= 50)
        for copy in copies {
            let store = try Store(folder: copy.path)
            #expect(try WriterProcess.missing(before, in: store).isEmpty)
            let page = try store.changes(after: 0, limit: .max)
            #expect(page.changes.count == Int(page.last) && !page.isGap)
        }
    }

    @Test func `a copy omits free pages`() async throws {
        let folder = try TemporaryFolder()
        let copy = try TemporaryFolder()
        let written: Int
        do {
            let environment = try Sample.environment(folder.path)
            for word in 0..<64 {
                try environment.write {
                    try $0.put(Words.self, "\(word)", [UInt8](repeating: 1, count: 8_192))
                }
            }
            try environment.write { transaction in
                for word in 1..<64 { try transaction.remove(Words.self, "\(word)") }
            }
            written = environment.usedBytes
        }

        try StoreCopy.make(of: folder.path, in: copy.path)

        let second = try Sample.environment(copy.path)
        #expect(try second.word("0")?.count == 8_192)
        #expect(second.usedBytes < written / 4)
    }

    @Test func `refuses to copy a truncated store`() throws {
        let folder = try TemporaryFolder()
        let copy = try TemporaryFolder()
        do {
            let environment = try Sample.environment(folder.path)
            try environment.write {
                try $0.put(Words.self, "a", [UInt8](repeating: 1, count: 65_536))
            }
        }
        let file = try FileHandle(forUpdating: folder.url.appending(path: "data.mdb"))
        try file.truncate(atOffset: 20_000)
        try file.close()

        let error = #expect(throws: StorageError.self) {
            try StoreCopy.make(of: folder.path, in: copy.path)
        }
        guard case .corrupt = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }
}
