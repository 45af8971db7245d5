import Testing

@testable import MediaFiles

/// The part of a file that a request asks for.
struct RequestedRangeTests {
    @Test(arguments: [
        ("bytes=0-9", 0..<10), ("bytes=90-", 90..<100), ("bytes=90-1000", 90..<100),
        ("bytes=-10", 90..<100), ("bytes=-1000", 0..<100), ("Bytes=99-99", 99..<100),
    ])
    func `reads a single range`(header: String, range: Range<Int>) {
        #expect(RequestedRange(header, of: 100) == .part(range))
    }

    @Test(arguments: ["bytes=100-", "bytes=100-200", "bytes=-0", "bytes=999999999999999999-"])
    func `a range beyond the end is unsatisfiable`(header: String) {
        #expect(RequestedRange(header, of: 100) == .outside)
    }

    @Test(arguments: [
        nil, "", "bytes", "bytes=", "bytes=-", "bytes=5-2", "bytes=0-1,4-5", "lines=0-1",
        "bytes=a-b", "bytes=+1-2", "bytes=0x1-2", "bytes=1-99999999999999999999", "bytes= 1-2",
    ])
    func `anything but a single range requests the whole file`(header: String?) {
        #expect(RequestedRange(header, of: 100) == .whole)
    }
}
