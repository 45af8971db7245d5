package import BigInt
import Keys

/// The reason why a contract reverted a call, decoded from the call's data.
///
/// Source: Solidity documentation 0.8, "Error handling: Assert, Require, Revert and Exceptions".
package enum RevertReason: Hashable, Sendable {
    /// There is no data. Vyper's own checks, such as for overflow, give none.
    case silent
    /// `Error(string)`: the contract's message.
    case message(String)
    /// `Panic(uint256)`: a failed check of the compiler.
    case panic(PanicCode)
    /// An error that the contract's interface declares.
    case custom(name: String, [ABIValue])
    /// Data that is not of a known error.
    case unknown([UInt8])

    private static let message = ABICustomError(
        name: "Error",
        inputs: [ABIParameter(type: .string)]
    )
    private static let panic = ABICustomError(name: "Panic", inputs: [ABIParameter(type: .uint256)])

    /// Decodes a failed call's data; `declared` holds the errors of the contract's interface.
    package init(data: [UInt8], declared: [ABICustomError] = []) {
        if data.isEmpty {
            self = .silent
        } else if let text = Self.text(in: data) {
            self = .message(text)
        } else if case .uint(let code)? = Self.panic.arguments(of: data)?.first {
            self = .panic(PanicCode(number: code))
        } else {
            let known = declared.lazy.compactMap { error in
                error.arguments(of: data).map { RevertReason.custom(name: error.name, $0) }
            }
            self = known.first ?? .unknown(data)
        }
    }

    /// Decodes the text of `Error(string)`, whatever follows it.
    ///
    /// Contracts that build the data by hand, and some endpoints, leave out the padding of the last
    /// word.
    private static func text(in data: [UInt8]) -> String? {
        guard FunctionSelector(startOf: data) == message.selector, data.count >= 68 else {
            return nil
        }
        let arguments = Array(data[4...])
        let offset = ABIWord(bytes: arguments, offset: 0).small
        let count = ABIWord(bytes: arguments, offset: 32).small
        guard offset == 32, let count, count <= UInt64(arguments.count - 64) else { return nil }
        return String(validating: arguments[64..<64 + Int(count)], as: UTF8.self)
    }
}

extension RevertReason: CustomStringConvertible {
    package var description: String {
        switch self {
        case .silent: "the contract refused without a reason"
        case .message(let text): UntrustedText.line(text)
        case .panic(let code): code.description
        case .custom(let name, let arguments):
            UntrustedText.line(
                name + "(" + arguments.map(\.description).joined(separator: ", ") + ")"
            )
        case .unknown(let data): "the contract refused with 0x" + Hex.encode(data.prefix(64))
        }
    }
}

/// The code of a failed check of the compiler.
///
/// Source: Solidity documentation 0.8, "Panic via assert and Error via require".
package struct PanicCode: Hashable, Sendable {
    package let number: BigUInt

    package init(number: BigUInt) {
        self.number = number
    }
}

extension PanicCode: CustomStringConvertible {
    package var description: String {
        switch number {
        case 0x00: "a check of the compiler failed"
        case 0x01: "an assertion failed"
        case 0x11: "an arithmetic overflow or underflow"
        case 0x12: "division by zero"
        case 0x21: "a number is not a case of its enumeration"
        case 0x22: "stored bytes are malformed"
        case 0x31: "nothing is left to remove from an array"
        case 0x32: "an index is out of bounds"
        case 0x41: "too much memory is needed"
        case 0x51: "a function that was never set was called"
        default: "a check failed, with code 0x" + String(number, radix: 16)
        }
    }
}
