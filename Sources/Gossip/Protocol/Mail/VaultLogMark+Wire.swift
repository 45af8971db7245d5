import Foundation
import Keys
import Market
import SwiftProtobuf

extension [VaultLogMark] {
    /// Reads what a peer has of a vault: devices rise, and each has a segment.
    init(_ frame: MailVaultMarksFrame, _ limits: MailLimits) throws(MailFrameFault) {
        guard frame.marks.count <= limits.vaultLogsMax else { throw .tooMuch }
        guard frame.unknownFields.data.isEmpty,
            frame.marks.allSatisfy({ $0.unknownFields.data.isEmpty })
        else { throw .malformed }
        self = frame.marks.compactMap { mark in
            Bytes32(mark.device).flatMap { device in
                mark.last == 0 ? nil : VaultLogMark(device: device, last: mark.last)
            }
        }
        guard count == frame.marks.count,
            zip(self, dropFirst()).allSatisfy({ $0.device < $1.device })
        else { throw .malformed }
    }

    var frame: MailVaultMarksFrame {
        var frame = MailVaultMarksFrame()
        frame.marks = map { mark in
            var frame = MailVaultMarkFrame()
            frame.device = Data(mark.device.bytes)
            frame.last = mark.last
            return frame
        }
        return frame
    }
}

extension VaultSegment {
    init(frame bytes: Data) throws(MailFrameFault) {
        do { self = try VaultSegment([UInt8](bytes)) } catch { throw .malformed }
    }
}
