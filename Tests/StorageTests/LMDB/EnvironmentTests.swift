import Foundation
import Storage
import Support
import Testing

struct EnvironmentTests {
    private struct Refusal: Error {}

    @Test func `an aborted write leaves no trace`() throws {
        let folder = try TemporaryFolder()
        let environment = try Sample.environment(folder.path)
        try environment.write { try $0.put(Words.self, "a", [42]) }

        #expect(throws: Refusal.self) {
            try environment.write { transaction in
                try transaction.put(Words.self, "a", [43])
                throw Refusal()
            }
        }

        #expect(try environment.word("a") == [42])
    }

    @Test func `a failed savepoint loses only its own writes`() throws {
        let folder = try TemporaryFolder()
        let environment = try Sample.environment(folder.path)

        try environment.write { transaction in
            try transaction.put(Words.self, "before", [1])
            #expect(throws: Refusal.self) {
                try transaction.savepoint { inner in
                    try inner.put(Words.self, "inside", [2])
                    try inner.remove(Words.self, "before")
                    throw Refusal()
                }
            }
            try transaction.savepoint { try $0.put(Words.self, "after", [3]) }
        }

        #expect(try environment.word("before") == [1])
        #expect(try environment.word("inside") == nil)
        #expect(try environment.word("after") == [3])
    }

    @Test func `a snapshot does not see later writes`() throws {
        let folder = try TemporaryFolder()
        let environment = try Sample.environment(folder.path)
        try environment.write { try $0.put(Words.self, "a", [1]) }

        try environment.read { snapshot in
            try environment.write { try $0.put(Words.self, "a", [2]) }
            let seen = try snapshot.get(Words.self, "a")
            #expect(seen == [1])
        }
        #expect(try environment.word("a") == [2])
    }

    @Test(arguments: [nil, 0, 32_896] as [off_t?])
    func `allocates the table of readers before it is mapped`(length: off_t?) throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/lock.mdb"
        if let length {
            #expect(FileManager.default.createFile(atPath: path, contents: nil))
            #expect(unsafe truncate(path, length) == 0)
        }
        let environment = try Sample.environment(folder.path)
        var file = stat()
        #expect(unsafe stat(path, &file) == 0)
        #expect(file.st_size == 32_896 && Int(file.st_blocks) * 512 >= file.st_size)
        try environment.write { try $0.put(Words.self, "a", [1]) }
    }

    @Test func `inserts only new keys`() throws {
        let folder = try TemporaryFolder()
        let environment = try Sample.environment(folder.path)

        let (first, second) = try environment.write { transaction in
            (
                try transaction.insert(Words.self, "a", [1]),
                try transaction.insert(Words.self, "a", [2])
            )
        }

        #expect(first && !second)
        #expect(try environment.word("a") == [1])
    }

    @Test func `stores empty and large values unchanged`() throws {
        let folder = try TemporaryFolder()
        let environment = try Sample.environment(folder.path)
        let large = (0..<70_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }

        try environment.write { transaction in
            try transaction.put(Words.self, "empty", [])
            try transaction.put(Words.self, "large", large)
        }

        #expect(try environment.word("empty") == [])
        #expect(try environment.word("large") == large)
        #expect(try environment.word("none") == nil)
    }

    @Test func `creates files that only this user can read`() throws {
        let folder = try TemporaryFolder()
        let environment = try Sample.environment(folder.path("store"))

        for name in ["data.mdb", "lock.mdb", "stoa.lock"] {
            let path = folder.path("store/" + name)
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
            #expect(mode as? Int == 0o600, "\(name)")
        }
        #expect(environment.usedBytes > 0)
    }

    /// - From people: a full map → store_full until store.mapGibibytes is raised; reading goes on
    @Test func `a full map refuses writes until it grows, and allows reads`() throws {
        let folder = try TemporaryFolder()
        let small = 256 << 10
        var stored: UInt64 = 0
        do {
            let environment = try Sample.environment(folder.path, mapBytes: small)
            let error = #expect(throws: StorageError.self) {
                for step in 0..<100_000 as Range<UInt64> {
                    try environment.write { transaction in
                        for part in 0..<64 as Range<UInt64> {
                            try transaction.put(Steps.self, CompositeKey(1, step * 64 + part), step)
                        }
                    }
                    stored = (step + 1) * 64
                }
            }
            #expect(error == .mapFull(.put) || error == .mapFull(.commit))
            #expect(stored > 1_000)
            #expect(try environment.stepCount() == Int(stored))
        }

        let environment = try Sample.environment(folder.path, mapBytes: small * 2)
        try environment.write { try $0.put(Steps.self, CompositeKey(2, 0), 1) }
        #expect(try environment.stepCount() == Int(stored) + 1)
    }

    @Test func `a key that is too long causes its own error`() throws {
        let folder = try TemporaryFolder()
        let environment = try Sample.environment(folder.path)

        #expect(throws: StorageError.keyTooLong(byteCountMax: Environment.keyByteCountMax)) {
            try environment.write { try $0.put(Words.self, String(repeating: "a", count: 600), []) }
        }
    }

    /// - From commands: a read-only store → exit 4
    @Test func `refuses a folder without write permission and names it`() throws {
        #expect(throws: StorageError.readOnly(folder: "/proc/stoa")) {
            try Sample.environment("/proc/stoa")
        }
        #expect(throws: StorageError.readOnly(folder: "/sys/kernel")) {
            try Sample.environment("/sys/kernel")
        }
    }
}
