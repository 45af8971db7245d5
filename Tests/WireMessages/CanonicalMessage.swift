package import SwiftProtobuf

/// Messages that SwiftProtobuf reads and writes: what the product's own codec is compared with.
///
/// The generated code beside this file is made of the `.proto` files of the product's modules.
package enum CanonicalMessage {
    /// Reads bytes that equal the message's own encoding; `nil` for others.
    package static func read<Wire: Message>(_ bytes: [UInt8], as type: Wire.Type) -> Wire? {
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
