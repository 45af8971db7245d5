import Storage
import Testing

struct StorageErrorTests {
    @Test func `compares by what happened`() {
        #expect(StorageError.full(.put) != StorageError.full(.commit))
    }
}
