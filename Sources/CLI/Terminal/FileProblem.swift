import Foundation

/// Explains why a file cannot be read or written.
enum FileProblem {
    /// Returns the reason as a sentence that follows a colon.
    static func reason(_ error: any Error) -> String {
        switch (error as? CocoaError)?.code {
        case .fileNoSuchFile, .fileReadNoSuchFile: "there is no such file or folder."
        case .fileReadNoPermission, .fileWriteNoPermission: "you have no permission for it."
        case .fileWriteFileExists: "a file has this name."
        case .fileWriteOutOfSpace: "the disk is full."
        case .fileWriteVolumeReadOnly: "the disk can only be read."
        case .fileReadInvalidFileName, .fileWriteInvalidFileName: "no file can have this name."
        case .fileReadTooLarge: "it is too large."
        default: "it may be a folder, or the disk has failed."
        }
    }
}
