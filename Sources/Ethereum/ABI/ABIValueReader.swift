import BigInt
package import Keys
package import Market

/// Converts decoded values, one after the other, to the types of the market.
package struct ABIValueReader {
    private var rest: ArraySlice<ABIValue>

    package init(_ values: [ABIValue]) {
        rest = values[...]
    }

    /// Creates a reader of an event's arguments; throws if one of them is only a hash.
    package init(_ arguments: [ABIEvent.Argument]) throws(ABIError) {
        var values: [ABIValue] = []
        for argument in arguments {
            guard case .value(let value) = argument else { throw .meaningless("a hash") }
            values.append(value)
        }
        rest = values[...]
    }

    package mutating func amount() throws(ABIError) -> Amount {
        guard case .uint(let number)? = rest.popFirst(), let amount = Amount(number)
        else { throw .meaningless("an amount") }
        return amount
    }

    /// Reads a number of at most 64 bits.
    package mutating func small(_ name: String) throws(ABIError) -> UInt64 {
        guard case .uint(let number)? = rest.popFirst(), let value = UInt64(exactly: number)
        else { throw .meaningless(name) }
        return value
    }

    package mutating func address() throws(ABIError) -> Address {
        guard case .address(let address)? = rest.popFirst()
        else { throw .meaningless("an address") }
        return address
    }

    package mutating func bool() throws(ABIError) -> Bool {
        guard case .bool(let isTrue)? = rest.popFirst() else { throw .meaningless("a boolean") }
        return isTrue
    }

    package mutating func bytes32() throws(ABIError) -> Bytes32 {
        guard case .fixedBytes(let bytes)? = rest.popFirst(), let value = Bytes32(bytes)
        else { throw .meaningless("32 bytes") }
        return value
    }

    package mutating func string() throws(ABIError) -> String {
        guard case .string(let text)? = rest.popFirst() else { throw .meaningless("a string") }
        return text
    }

    package mutating func addresses() throws(ABIError) -> [Address] {
        guard case .array(let values)? = rest.popFirst()
        else { throw .meaningless("addresses") }
        var reader = ABIValueReader(values)
        var addresses: [Address] = []
        for _ in values { addresses.append(try reader.address()) }
        return addresses
    }

    /// Reads an array, or a tuple, which is encoded like an array of fixed length.
    package mutating func elements() throws(ABIError) -> ABIValueReader {
        switch rest.popFirst() {
        case .array(let values)?, .tuple(let values)?: return ABIValueReader(values)
        default: throw .meaningless("numbers")
        }
    }

    package mutating func tuple() throws(ABIError) -> ABIValueReader {
        guard case .tuple(let values)? = rest.popFirst() else { throw .meaningless("a tuple") }
        return ABIValueReader(values)
    }
}
