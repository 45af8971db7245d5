import Setup
import Testing

struct VersionTests {
    @Test func `the version consists of three numbers`() {
        #expect(Version.text.split(separator: ".").compactMap { Int($0) }.count == 3)
    }
}
