import Foundation
import HTTPTypes
import Testing

@testable import NodeAPI

/// Where a request comes from is no part of what NodeAPI offers, hence the testable import.
struct CallerOriginTests {
    @Test(arguments: ["127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1"])
    func `a connection from this machine is local unless via proxy or web page`(address: String) {
        #expect(place(address) == .thisMachine)
        #expect(place(address, isOwn: false) == .elsewhere("pages"))
        for name in ["Via", "X-Forwarded-Host", "X-Forwarded-Proto", "Forwarded"] {
            #expect(place(address, [name: "x"]) == .elsewhere("proxy"), "\(name)")
        }
    }

    @Test(arguments: [
        ("192.0.2.7", "192.0.2.7"), ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2::7", "2001:db8:1::/48"), ("128.0.0.1", "128.0.0.1"), ("::2", "0.0.0.2"),
        ("fe80::1", "fe80:0:0::/48"), ("2002:c000:207:9::1", "192.0.2.7"),
        ("2002:7f00:1::", "127.0.0.1"), ("::127.0.0.1", "127.0.0.1"), ("0.0.0.0", "0.0.0.0"),
    ])
    func `treats every other address as remote`(address: String, name: String) {
        #expect(place(address) == .elsewhere(name))
        #expect(place(address, ["X-Forwarded-For": "127.0.0.1"]) == .elsewhere(name))
    }

    @Test func `treats a connection without an address as remote`() {
        #expect(place(nil) == .elsewhere("unknown"))
        #expect(place("/socket") == .elsewhere("unknown"))
    }

    @Test(arguments: [
        ("X-Forwarded-For", "127.0.0.1, 192.0.2.7", "192.0.2.7"),
        ("X-Forwarded-For", "192.0.2.7:1234", "192.0.2.7"),
        ("X-Forwarded-For", "[2001:db8::7]:1234", "2001:db8:0::/48"),
        ("X-Real-IP", "192.0.2.7", "192.0.2.7"),
        ("Forwarded", #"for=127.0.0.1, proto=https;For="[2001:db8::7]:99""#, "2001:db8:0::/48"),
        ("X-Forwarded-For", "127.0.0.1", "127.0.0.1"), ("X-Forwarded-For", "", "proxy"),
    ])
    func `takes a proxy's last address as the caller`(field: String, value: String, name: String) {
        #expect(place("127.0.0.1", [field: value]) == .elsewhere(name))
    }

    private func place(
        _ address: String?,
        _ headers: [String: String] = [:],
        isOwn: Bool = true
    ) -> CallerOrigin {
        var fields = HTTPFields()
        for (name, value) in headers {
            if let name = HTTPField.Name(name) { fields[name] = value }
        }
        return CallerOrigin(address: address, headers: fields, isOwn: isOwn)
    }
}
