import BigInt
import Ethereum
import Keys
import Testing

struct ContractInterfaceTests {
    private let json = """
        [{"type":"constructor","inputs":[{"name":"cap","type":"uint256"}]},
         {"type":"function","name":"transfer","stateMutability":"nonpayable",
          "inputs":[{"name":"to","type":"address"},{"name":"amount","type":"uint256"}],
          "outputs":[{"name":"","type":"bool"}]},
         {"name":"f","inputs":[{"name":"s","type":"tuple[2]","components":[
            {"name":"a","type":"uint8"},{"name":"b","type":"tuple","components":[
              {"name":"c","type":"bytes"}]}]}]},
         {"type":"function","name":"mint","inputs":[]},
         {"type":"function","name":"mint","inputs":[{"name":"n","type":"uint"}]},
         {"type":"event","name":"Transfer","inputs":[
          {"name":"from","type":"address","indexed":true},
          {"name":"to","type":"address","indexed":true},
          {"name":"value","type":"uint256","indexed":false}]},
         {"type":"event","name":"Noted","inputs":[
          {"name":"text","type":"string","indexed":true},
          {"name":"copy","type":"string","indexed":false},
          {"name":"list","type":"(uint8,bytes)[]","indexed":true}]},
         {"type":"event","name":"Quiet","anonymous":true,"inputs":[
          {"name":"id","type":"bytes32","indexed":true}]},
         {"type":"error","name":"TooMuch","inputs":[{"name":"most","type":"uint256"}]},
         {"type":"receive","stateMutability":"payable"}]
        """

    private var interface: ContractInterface {
        get throws { try ContractInterface(json: [UInt8](json.utf8)) }
    }

    @Test func `reads functions with their selectors`() throws {
        let transfer = try interface.function("transfer")
        #expect(transfer.selector.description == "0xa9059cbb")
        #expect(try interface.function(transfer.selector) == transfer)
        #expect(try interface.function("f").signature == "f((uint8,(bytes))[2])")
        #expect(try interface.function("f").inputs[0].components.map(\.name) == ["a", "b"])
        #expect(try interface.receives)
        #expect(try !interface.hasFallback)
    }

    @Test func `finds an overloaded function only by its signature`() throws {
        #expect(throws: ABIError.unknown("mint")) { try interface.function("mint") }
        #expect(try interface.function("mint(uint256)").inputs.count == 1)
        #expect(throws: ABIError.unknown("burn")) { try interface.function("burn") }
    }

    @Test func `encodes calls and decodes answers`() throws {
        let transfer = try interface.function("transfer")
        let arguments: [ABIValue] = [.address(.zero), .uint(5)]
        let data = try transfer.encodeCall(arguments)

        #expect(data.count == 68)
        #expect(try transfer.decodeCall(data) == arguments)
        #expect(throws: ABIError.selector) { try interface.function("mint()").decodeCall(data) }
        let answer = try transfer.encodeResult([.bool(true)])
        #expect(try transfer.decodeResult(answer) == [.bool(true)])
        #expect(
            try interface.creation(bytecode: [0xFE], [.uint(1)])
                == [0xFE] + [UInt8](repeating: 0, count: 31) + [1]
        )
    }

    @Test func `reads a log, with only the hash of long indexed arguments`() throws {
        let event = try interface.event("Noted")
        let list = ABIValue.array([.tuple([.uint(7), .bytes([1, 2])])])
        let listType = event.inputs[2].type
        let log = ContractLog(
            address: .zero,
            topics: [
                event.topic, try ABI.topic(of: .string("a"), as: .string),
                try ABI.topic(of: list, as: listType),
            ],
            data: try ABI.encode([.string("a")], as: [.string])
        )
        let padded =
            [UInt8](repeating: 0, count: 31) + [7, 1, 2] + [UInt8](repeating: 0, count: 30)
        #expect(
            try event.decode(log) == [
                .hash(Keccak256.hash([0x61])), .value(.string("a")), .hash(Keccak256.hash(padded)),
            ]
        )
        #expect(try interface.event(topic: event.topic) == event)
    }

    @Test func `refuses logs of other events`() throws {
        let event = try interface.event("Transfer")
        func log(_ topics: [Bytes32], _ data: [UInt8]) -> ContractLog {
            ContractLog(address: .zero, topics: topics, data: data)
        }
        let value = [UInt8](repeating: 0, count: 32)
        #expect(throws: ABIError.topic) { try event.decode(log([], value)) }
        #expect(throws: ABIError.topic) { try event.decode(log([.zero, .zero, .zero], value)) }
        #expect(throws: ABIError.count(expected: 2, found: 1)) {
            try event.decode(log([event.topic, .zero], value))
        }
        #expect(throws: ABIError.word(offset: 0, type: .address)) {
            try event.decode(log([event.topic, .zero, Bytes32(repeating: 1)], value))
        }
        #expect(throws: ABIError.trailingBytes(offset: 32)) {
            try event.decode(log([event.topic, .zero, .zero], value + value))
        }
        #expect(
            try event.decode(log([event.topic, .zero, .zero], value))
                == [.value(.address(.zero)), .value(.address(.zero)), .value(.uint(0))]
        )
        let quiet = try interface.event("Quiet")
        #expect(try quiet.decode(log([.zero], [])) == [.value(.bytes32(.zero))])
    }

    @Test(
        arguments: [
            ("{}", nil), ("[{\"type\":\"struct\"}]", nil), ("[1]", nil), ("", nil),
            ("[{\"type\":\"function\"}]", .incomplete("a function's name")),
            (
                "[{\"name\":\"f\",\"inputs\":[{\"name\":\"x\",\"type\":\"uint9\"}]}]",
                .type(.size("uint9"))
            ),
            (
                "[{\"name\":\"f\",\"inputs\":[{\"name\":\"x\",\"type\":\"tuple\"}]}]",
                .incomplete("the parts of tuple x")
            ),
            (
                "[{\"name\":\"f\",\"stateMutability\":\"odd\"}]",
                .incomplete("stateMutability odd")
            ),
        ] as [(String, ContractInterfaceError?)]
    )
    func `says why an interface is invalid`(json: String, error: ContractInterfaceError?) {
        #expect {
            try ContractInterface(json: [UInt8](json.utf8))
        } throws: { thrown in
            guard let thrown = thrown as? ContractInterfaceError else { return false }
            if let error { return thrown == error }
            if case .malformed = thrown { return true }
            return false
        }
    }
}
