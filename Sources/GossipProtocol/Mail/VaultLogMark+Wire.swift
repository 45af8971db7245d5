import Keys
import Market

extension [VaultLogMark] {
    static let wireSchema = WireSchema(.repeated(.message(WireSchema(.bytes, .uint64))))

    /// Reads a peer's marks of a vault: devices rise, and each has a segment.
    init(_ frame: WireFields, _ limits: MailLimits) throws(MailFrameFault) {
        let marks = frame.messages(1)
        guard marks.count <= limits.vaultLogsMax else { throw .tooMuch }
        guard !frame.hasUnknown else { throw .malformed }
        self = marks.compactMap { mark in
            Bytes32(mark.bytes(1)).flatMap { device in
                mark.has(2) ? VaultLogMark(device: device, last: mark.number(2)) : nil
            }
        }
        guard count == marks.count,
            zip(self, dropFirst()).allSatisfy({ $0.device < $1.device })
        else { throw .malformed }
    }

    var frame: [UInt8] {
        var frame = WireWriter()
        frame.write(
            1,
            all: map { mark in
                var frame = WireWriter()
                frame.write(1, mark.device.bytes)
                frame.write(2, mark.last)
                return frame.bytes
            }
        )
        return frame.bytes
    }
}

extension VaultSegment {
    init(frame bytes: ArraySlice<UInt8>) throws(MailFrameFault) {
        do { self = try VaultSegment([UInt8](bytes)) } catch { throw .malformed }
    }
}
