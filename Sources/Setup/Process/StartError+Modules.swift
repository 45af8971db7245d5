package import Gossip
package import Storage

extension StorageError: StartError {
    package var startFailure: StartFailure? {
        let kind: StartFailure.Kind =
            switch self {
            case .locked: .locked
            case .schemaTooNew, .schemaTooOld: .schema
            case .readOnly, .notReadable, .notAFile, .noMemory, .tooManyFiles: .configuration
            default: .failed
            }
        return StartFailure(kind, "\(self).")
    }
}

extension LinkError: StartError {
    package var startFailure: StartFailure? {
        guard case .cannotListen = self else {
            return StartFailure(.network, "The network failed: \(self).")
        }
        return StartFailure(.configuration, "\(self).")
    }
}
