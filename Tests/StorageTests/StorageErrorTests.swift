import Storage
import Testing

struct StorageErrorTests {
    @Test func `errors with the same cause are equal`() {
        #expect(StorageError.mapFull(.put) != StorageError.mapFull(.commit))
    }

    @Test(arguments: [
        (StorageError.mapFull(.put), "raise store.mapGibibytes"),
        (.diskFull(.commit), "free some space"),
        (.diskFailed(.commit, code: 5), "check the disk"),
        (.readOnly(folder: "/a"), "give this user the right"),
        (.notReadable(folder: "/a"), "whether this user may read it"),
        (.notAFile(path: "/a"), "move it away"),
        (.noMemory(.open), "raise 'ulimit -v', or lower store.mapGibibytes"),
        (.tooManyFiles(.open), "raise 'ulimit -n'"),
        (.locked(folder: "/a", process: 7), "process 7; stop that one"),
        (.schemaTooNew(found: 2, known: 1), "use a newer program"),
        (.schemaTooOld(found: 1, oldest: 2), "use an older program"),
        (.corrupt(.notAStore(file: "/a")), "restore a backup"),
        (.tooManyReaders(max: 3), "try again"),
        (.stopped, "start the node again"),
    ])
    func `a store error says what to do next`(error: StorageError, advice: String) {
        #expect(error.description.contains(advice))
    }
}
