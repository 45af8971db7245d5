import Foundation
import Keys
import Market
import Testing

@testable import Ethereum

struct RedactionTests {
    private static let key = "Key-of/Nobody12"

    @Test(arguments: [
        "Key-of/Nobody12", "KEY-OF/NOBODY12", "key-of%2FNobody12", "key%2dof%2fnobody12",
        "Key-of/\u{200B}Nobody12", "K\u{AD}ey-of/No\u{0}body12", "%4b%65y-of/nobody\u{2060}12",
        "Key-of/Nobody\n12", "Key-of/Nobody\u{301}12",
    ])
    func `hides a secret in any spelling`(spelling: String) {
        let shown = Redaction.redacted("no key \(spelling), sorry", [Self.key])
        #expect(shown == "no key …, sorry")
        #expect(Redaction.redacted(spelling, ["key-of%2fnobody12"]) == "…")
    }

    @Test func `leaves all else as it is`() {
        let words = "100% of Key-of/Nobody1\u{301} naïve %zz %4"
        #expect(Redaction.redacted(words, [Self.key]) == words)
        #expect(Redaction.redacted("aXbxc", ["x", "b"]) == "a……" + "…c")
        #expect(Redaction.redacted("", ["x"]).isEmpty)
    }

    /// - From endpoints: the password of its URL in Base64 without padding, or in the alphabet of
    ///   URLs → it is hidden
    @Test func `hides a password in each form of Base64`() throws {
        let endpoint = try Endpoint(url: "https://us:%3F%3F%3E%3E~~~@host.example")
        let codec = RPCCodec(endpoint: endpoint.name, secrets: endpoint.secrets)
        for form in ["dXM6Pz8+Pn5+fg==", "dXM6Pz8+Pn5+fg", "dXM6Pz8-Pn5-fg==", "dXM6Pz8-Pn5-fg"] {
            let body = #"{"jsonrpc":"2.0","id":0,"error":{"code":1,"message":"no \#(form)"}}"#
            let refusal = codec.refusal(of: "eth_call", in: [UInt8](body.utf8))
            let message = try #require(refusal?.message)
            #expect(message == "no …" || message == "no …==", "\(message)")
        }
    }

    /// - From endpoints: the password of its URL as a contract's reason → it is hidden
    @Test func `hides a password in the data of a revert`() throws {
        let endpoint = try Endpoint(url: "https://us:pa55word77@host.example")
        let codec = RPCCodec(endpoint: endpoint.name, secrets: endpoint.secrets)
        let cut = String(repeating: "x", count: 295) + "pa55word77"
        for (words, isShown) in [("key pa55word77", false), (cut, false), ("too late", true)] {
            let text = [UInt8](words.utf8)
            let padding = [UInt8](repeating: 0, count: 31 - (text.count + 31) % 32)
            let data =
                [0x08, 0xC3, 0x79, 0xA0] + Bytes32(words: 0, 0, 0, 32).bytes
                + Bytes32(words: 0, 0, 0, UInt64(text.count)).bytes + text + padding
            let body =
                #"{"jsonrpc":"2.0","id":0,"error":{"code":3,"message":"reverted","#
                + #""data":"0x\#(Hex.encode(data))"}}"#
            let refusal = codec.refusal(of: "eth_call", in: [UInt8](body.utf8))
            let reason = try #require(refusal?.reason)
            #expect(reason.contains(words) == isShown && !reason.contains("pa55"), "\(reason)")
        }
    }

    /// - From endpoints: millions of texts in an error's data → only the first ones are read
    @Test func `reads only the first words of an error`() throws {
        let list = String(repeating: #""ab","#, count: 200_000) + #""z""#
        let body =
            #"{"jsonrpc":"2.0","id":0,"error":{"code":-32000,"message":"x","data":[\#(list)]}}"#
        let codec = RPCCodec(endpoint: EndpointName("http://a"))
        let refusal = codec.refusal(of: "eth_call", in: [UInt8](body.utf8))
        #expect(refusal?.detail == Array(repeating: "ab", count: 8).joined(separator: " "))
    }

    /// - From endpoints: an error's data is nested or long without a text → few values are looked at
    @Test func `looks at few values of an error's data, and not deep`() {
        let codec = RPCCodec(endpoint: EndpointName("http://a"))
        func detail(_ data: String) -> String? {
            let head = #"{"jsonrpc":"2.0","id":0,"error":{"code":-32000,"message":"x","data":"#
            return codec.refusal(of: "eth_call", in: [UInt8]((head + data + "}}").utf8))?.detail
        }
        func nested(_ depth: Int, _ inner: String) -> String {
            String(repeating: "[", count: depth) + inner + String(repeating: "]", count: depth)
        }
        func zeros(_ count: Int) -> String { String(repeating: "0,", count: count) }
        #expect(detail(nested(4, #""a""#)) == "a" && detail(nested(5, #""a""#)) == "")
        #expect(detail(#"{"a":{"b":[null,{"c":"d"}]},"e":["f"]}"#) == "d f")
        #expect(detail("[\(zeros(63))\"a\"]") == "a" && detail("[\(zeros(64))\"a\"]") == "")
        // All of the lists count together.
        let lists = String(repeating: "[\(zeros(20))0],", count: 3)
        #expect(detail("[\(lists)\"a\"]") == "")
        #expect(detail(nested(400, "\(zeros(100_000))0")) == "")
    }

    /// - From endpoints: thousands of answers to a batch of two → those beyond the third are not read
    @Test func `reads only as many answers to a batch as were asked for`() {
        let codec = RPCCodec(endpoint: EndpointName("http://a"))
        let answers = (0..<3).map { #"{"jsonrpc":"2.0","id":\#($0),"result":"0x1"}"# }
        let body = "[" + (answers + [#"{"jsonrpc":"1.0"}"#]).joined(separator: ",") + "]"
        do {
            _ = try codec.answers(to: [RPCCall.gasPrice, .gasPrice], [UInt8](body.utf8))
            Issue.record("it is taken")
        } catch {
            #expect("\(error)".contains("an answer nobody asked for"), "\(error)")
        }
    }
}
