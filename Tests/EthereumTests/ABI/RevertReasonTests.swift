import BigInt
import Ethereum
import Keys
import Testing

struct RevertReasonTests {
    /// - From endpoints: a contract's reason with line breaks, control characters, direction marks,
    ///   or of any length → one line of at most 300 characters, in logs and answers
    @Test func `reduces a contract's message to one short, harmless line`() {
        let evil = "no\u{1B}[2J\nSold.\u{9B}\u{202E}" + String(repeating: "x", count: 1_000)
        let shouting = ABICustomError(name: "No", inputs: [ABIParameter(type: .string)])
        for reason in [
            RevertReason.message(evil), .custom(name: shouting.name, [.string(evil)]),
        ] {
            let shown = reason.description.unicodeScalars
            #expect(!shown.contains(where: UntrustedText.isUnsafe) && shown.count < 310)
        }
    }

    private let tooMuch = ABICustomError(
        name: "TooMuch",
        inputs: [ABIParameter(name: "most", type: .uint256)]
    )

    @Test func `reads the contract's own message`() throws {
        let data = try #require(
            Hex.decode(
                "08c379a0" + String(repeating: "0", count: 62) + "20"
                    + String(repeating: "0", count: 62) + "1a"
                    + "4e6f7420656e6f7567682045746865722070726f76696465642e000000000000"
            )
        )
        let reason = RevertReason(data: data)
        #expect(reason == .message("Not enough Ether provided."))
        #expect(reason.description == "Not enough Ether provided.")
    }

    /// - From endpoints: a contract's reason whose text is not padded → read nevertheless; an
    ///   unreadable reason is shown as the endpoint's own message
    @Test func `reads a reason without the padding of its last word`() throws {
        let words = [UInt8]("escrow: the offer has ended".utf8)
        let head =
            FunctionSelector(signature: "Error(string)").bytes
            + [UInt8](repeating: 0, count: 31) + [32]
            + [UInt8](repeating: 0, count: 31) + [UInt8(words.count)]

        #expect(RevertReason(data: head + words) == .message("escrow: the offer has ended"))
        #expect(RevertReason(data: head + words + [0, 0]).description.hasSuffix("has ended"))
        let short = head + words.dropLast()
        #expect(RevertReason(data: short) == .unknown(short))
        #expect(
            RevertReason(data: head + words.dropLast() + [0xFF])
                == .unknown(
                    head + words.dropLast() + [0xFF]
                )
        )
    }

    @Test func `falls back to the endpoint's message if the reason is unreadable`() {
        func refusal(_ message: String, _ data: [UInt8]?) -> RPCRefusal {
            RPCRefusal(method: "eth_call", code: 3, message: message, revertData: data)
        }
        #expect(
            refusal("execution reverted: too late", [1, 2]).reason
                == "execution reverted: too late (the contract refused with 0x0102)"
        )
        #expect(refusal("", [1, 2]).reason == "the contract refused with 0x0102")
        #expect(refusal("execution reverted: no", nil).reason == "execution reverted: no")
    }

    @Test(
        arguments: [
            (0x01, "an assertion failed"), (0x11, "an arithmetic overflow or underflow"),
            (0x12, "division by zero"), (0x32, "an index is out of bounds"),
            (0x99, "a check failed, with code 0x99"),
        ] as [(UInt8, String)]
    )
    func `describes a panic in words`(code: UInt8, words: String) throws {
        let data = FunctionSelector(signature: "Panic(uint256)").bytes
        let reason = RevertReason(data: data + [UInt8](repeating: 0, count: 31) + [code])
        #expect(reason.description == words)
    }

    @Test func `reads an error that the interface declares`() throws {
        let data = try tooMuch.encode([.uint(7)])
        #expect(
            RevertReason(data: data, declared: [tooMuch]) == .custom(name: "TooMuch", [.uint(7)])
        )
        #expect(RevertReason(data: data, declared: [tooMuch]).description == "TooMuch(7)")
        #expect(RevertReason(data: data) == .unknown(data))
        #expect(RevertReason(data: data + [0], declared: [tooMuch]) == .unknown(data + [0]))
    }

    @Test func `describes an empty and an unreadable reason`() {
        #expect(RevertReason(data: []) == .silent)
        #expect(RevertReason(data: [1, 2]).description == "the contract refused with 0x0102")
    }
}
