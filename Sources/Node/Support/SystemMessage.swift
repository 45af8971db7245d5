import Foundation

/// Returns the system's reason for refusing a file operation, such as `Permission denied`.
package func systemMessage(_ error: any Error) -> String {
    let cause = (error as? CocoaError)?.underlying as? POSIXError
    guard let code = cause?.code ?? (error as? POSIXError)?.code else {
        return error.localizedDescription.replacing(/\.$/, with: "")
    }
    return unsafe String(cString: strerror(code.rawValue))
}
