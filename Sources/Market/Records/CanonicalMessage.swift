package import SwiftProtobuf

/// Messages in the one form that encoding gives, so that equal content has equal bytes.
///
/// Source: Docs/protocol.md, section 4.1.
package enum CanonicalMessage {
    /// Reads bytes that are exactly what encoding the message again gives; else `nil`.
    package static func read<Wire: Message>(
        _ bytes: some Collection<UInt8> & Sendable,
        as type: Wire.Type
    ) -> Wire? {
        let bytes = [UInt8](bytes)
        // Why the decoder refused does not matter: bytes of no message are of no canonical one.
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
