import Client
import Foundation
import NIOCore
package import Setup

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
            throw problem(.system(error.errnoCode))
        } catch is SocketAddressError {
            throw problem(.unknownHost)
        } catch is SocketAddressError.UnknownHost {
            throw problem(.unknownHost)
        }
    }

    private func problem(_ reason: ListeningPortError.Reason) -> ListeningPortError {
        ListeningPortError(
            setting: setting.name,
            address: NodeAddress(host: host, port: port),
            reason: reason
        )
    }
}

/// Why the API, or the port for health and metrics, cannot be opened.
package struct ListeningPortError: Error, Equatable, Sendable {
    enum Reason: Equatable, Sendable {
        /// The system refused; the number is its `errno`.
        case system(Int32)
        /// The host's name resolves to no address.
        case unknownHost
    }

    /// The setting that names the port.
    let setting: String
    let address: NodeAddress
    let reason: Reason
}

extension ListeningPortError: CustomStringConvertible, StartError {
    package var startFailure: StartFailure? { StartFailure(.configuration, description) }

    package var description: String {
        "\(address.authority) cannot be listened on (\(words)). \(advice)"
    }

    private var words: String {
        switch reason {
        case .system(let code): unsafe String(cString: strerror(code))
        case .unknownHost: "no address is known for the host"
        }
    }

    private var advice: String {
        switch reason {
        case .unknownHost:
            "Correct 'api.host': it must be an address of this machine, such as 127.0.0.1."
        case .system(EADDRNOTAVAIL):
            "The host is not an address of this machine. Set 'api.host' to one, such as 127.0.0.1."
        case .system(EACCES):
            "This user may not listen on this port. Choose 1024 or a higher one with '\(setting)'."
        case .system(EMFILE), .system(ENFILE):
            "Too many files are open. Raise the user's limit ('ulimit -n'), and start again."
        case .system:
            "Choose another with '\(setting)' and 'api.host', or stop the program that uses it."
        }
    }
}
