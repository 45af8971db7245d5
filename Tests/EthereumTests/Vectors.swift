import Foundation
import Support

enum VectorError: Error {
    case unexpected
}

/// One JSON object of the shared vectors, or `nil`, said aloud, where they are not there.
func vectorObject(_ path: String) throws -> [String: Any]? {
    guard VectorFolder.isPresent else {
        print("passed over: no vectors at \(VectorFolder.root.path)")
        return nil
    }
    let value = try JSONSerialization.jsonObject(with: Data(contentsOf: VectorFolder.file(path)))
    guard let object = value as? [String: Any] else { throw VectorError.unexpected }
    return object
}
