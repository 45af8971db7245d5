import Foundation
import NIOCore

/// A port that the node listens on, and the error if it cannot.
struct ListeningPort: Sendable {
    /// The setting that names the port.
    let setting: ConfigurationKey
    let host: String
    let port: Int

    /// Serves until `body` ends.
    ///
    /// - Throws: ``ListeningPortError`` if the port cannot be listened on, otherwise what `body`
    ///   throws.
    func serve(_ body: () async throws -> Void) async throws {
        do {
            try await body()
        } catch let error as IOError {
            let reason = unsafe String(cString: strerror(error.errnoCode))
            throw ListeningPortError(setting: setting.name, host: host, port: port, reason: reason)
        } catch is SocketAddressError {
            let reason = "the name of the host is not known"
            throw ListeningPortError(setting: setting.name, host: host, port: port, reason: reason)
        }
    }
}

/// Why the API, or the port for health and metrics, cannot be opened.
package struct ListeningPortError: Error, Equatable, Sendable {
    let setting: String
    let host: String
    let port: Int
    let reason: String
}

extension ListeningPortError: CustomStringConvertible {
    package var description: String {
        "\(host):\(port) cannot be listened on (\(reason)). Choose another with '\(setting)' and "
            + "'api.host', or end the program that holds the port."
    }
}
