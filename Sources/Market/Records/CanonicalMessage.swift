package import SwiftProtobuf

/// Protobuf messages in canonical form: equal content has equal bytes.
///
/// Source: Docs/protocol.md, section 4.1.
package enum CanonicalMessage {
    /// Reads bytes that equal the message's own encoding; `nil` for others.
    package static func read<Wire: Message>(
        _ bytes: some Collection<UInt8> & Sendable,
        as type: Wire.Type
    ) -> Wire? {
        let bytes = [UInt8](bytes)
        // The decoder's reason does not matter: undecodable bytes are not canonical.
        guard let message = try? Wire(serializedBytes: bytes),
            Self.bytes(of: message) == bytes
        else { return nil }
        return message
    }

    package static func bytes(of message: some Message) -> [UInt8] {
        do {
            return try message.serializedBytes()
        } catch {
            preconditionFailure("proto3 messages of bounded size always encode: \(error)")
        }
    }
}
