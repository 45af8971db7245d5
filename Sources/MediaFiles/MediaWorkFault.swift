import Foundation
import Setup

/// Why this node could not work on a file: its disk, its memory or its programs failed.
///
/// It says nothing about the file, so nobody remembers it, and the next try may succeed.
enum MediaWorkFault: Error, Equatable {
    /// A program that is needed is not on this machine.
    case missing(program: String)
    /// The disk has no room.
    case diskFull
    /// Something else failed; `reason` is for the log.
    case failed(reason: String)

    /// Takes the system's reason for a failed file operation.
    init(_ error: any Error) {
        let reason = systemMessage(error)
        let isFull =
            (error as? CocoaError)?.code == .fileWriteOutOfSpace || FullDisk.advice(reason) != nil
        self = isFull ? .diskFull : .failed(reason: reason)
    }
}
