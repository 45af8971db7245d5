import BigInt
import Ethereum
import Keys
import Support

extension ABIType {
    /// Any type, with at most `depth` arrays and tuples in one another.
    static func random(depth: Int, using random: inout SeededRandom) -> ABIType {
        let choice = Int.random(in: 0...(depth > 0 ? 10 : 7), using: &random)
        switch choice {
        case 0: return .uint(bits: 8 * Int.random(in: 1...32, using: &random))
        case 1: return .int(bits: 8 * Int.random(in: 1...32, using: &random))
        case 2: return .address
        case 3: return .bool
        case 4: return .fixedBytes(count: Int.random(in: 1...32, using: &random))
        case 5: return .function
        case 6: return .bytes
        case 7: return .string
        case 8: return .array(of: .random(depth: depth - 1, using: &random))
        case 9:
            let count = Int.random(in: 1...3, using: &random)
            return .fixedArray(of: .random(depth: depth - 1, using: &random), count: count)
        default:
            let count = Int.random(in: 1...4, using: &random)
            return .tuple((0..<count).map { _ in .random(depth: depth - 1, using: &random) })
        }
    }

    /// A value of the type, often at the ends of its range.
    func randomValue(using random: inout SeededRandom) -> ABIValue {
        switch self {
        case .uint(let bits): return .uint(Self.number(bits: bits, using: &random))
        case .int(let bits):
            let half = BigInt(1) << (bits - 1)
            return .int(BigInt(Self.number(bits: bits, using: &random)) - half)
        case .address:
            return .address(Address(random.bytes(count: Address.byteCount)) ?? .zero)
        case .bool: return .bool(Bool.random(using: &random))
        case .fixedBytes(let count): return .fixedBytes(random.bytes(count: count))
        case .function: return .fixedBytes(random.bytes(count: 24))
        case .bytes: return .bytes(random.bytes(count: Int.random(in: 0...70, using: &random)))
        case .string:
            let letters = [Character]("aé漢🙂 \0\"")
            let count = Int.random(in: 0...40, using: &random)
            let text = (0..<count).map { _ in letters[Int(random.next() % 7)] }
            return .string(String(text))
        case .array(let element):
            let count = Int.random(in: 0...3, using: &random)
            return .array((0..<count).map { _ in element.randomValue(using: &random) })
        case .fixedArray(let element, let count):
            return .array((0..<count).map { _ in element.randomValue(using: &random) })
        case .tuple(let types): return .tuple(types.map { $0.randomValue(using: &random) })
        }
    }

    private static func number(bits: Int, using random: inout SeededRandom) -> BigUInt {
        let most = BigUInt(1) << bits - 1
        switch random.next() % 5 {
        case 0: return 0
        case 1: return most
        case 2: return most >> 1
        default:
            return random.bytes(count: 32).reduce(BigUInt(0)) { $0 << 8 | BigUInt($1) } & most
        }
    }
}
