import Foundation

/// Returns the system's reason for refusing a file operation, such as `Permission denied`.
package func systemMessage(_ error: any Error) -> String {
    let cause = (error as? CocoaError)?.underlying as? POSIXError
    guard let code = cause?.code ?? (error as? POSIXError)?.code else {
        return error.localizedDescription.replacing(/\.$/, with: "")
    }
    return unsafe String(cString: strerror(code.rawValue))
}

/// The advice if the system has no room for a file.
package enum FullDisk {
    /// Returns the advice for a system's reason, as ``systemMessage(_:)`` gives it; `nil` for
    /// others.
    package static func advice(_ reason: String) -> String? {
        let codes = [ENOSPC, EDQUOT].map { unsafe String(cString: strerror($0)) }
        return codes.contains(reason) ? "Free some space on that disk, and try again." : nil
    }
}
