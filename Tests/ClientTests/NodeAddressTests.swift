import Client
import Testing

struct NodeAddressTests {
    @Test(arguments: [
        ("http://127.0.0.1:8080", "http://127.0.0.1:8080"),
        ("http://localhost/", "http://localhost:80"),
        ("127.0.0.1:81", "http://127.0.0.1:81"), ("http://[::1]:81", "http://[::1]:81"),
        ("[fe80::1]", "http://[fe80::1]:80"),
    ])
    func `reads addresses as people write them`(text: String, read: String) throws {
        #expect(try NodeAddress(text: text).description == read)
    }

    @Test(arguments: ["::1", "[::1]"])
    func `writes an IPv6 address in brackets`(host: String) {
        let address = NodeAddress(host: host, port: 81)
        #expect(address.host == "::1")
        #expect(address.description == "http://[::1]:81" && address.authority == "[::1]:81")
    }

    @Test(arguments: [
        "", "http://", "https://a", "ftp://a", "http://a/v1", "http://a?b", "http://u@a",
        "http://a:0", "http://a:99999", "a:-1",
    ])
    func `refuses text that is not a node's address`(text: String) {
        #expect(throws: ClientError.badAddress(text)) { try NodeAddress(text: text) }
    }
}
