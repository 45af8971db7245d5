import GossipProtocol
import Market

extension ProtobufFields {
    /// A field of a message, also with its default value.
    static func write(_ number: UInt64, _ bytes: some Collection<UInt8>) -> [UInt8] {
        var field = WireWriter()
        field.member(number, bytes)
        return field.bytes
    }

    static func write(_ number: UInt64, _ value: UInt64) -> [UInt8] {
        var field = WireWriter()
        field.member(number, value)
        return field.bytes
    }
}
