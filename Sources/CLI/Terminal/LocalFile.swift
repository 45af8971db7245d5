import Client
import Foundation
import Setup

/// Reads and writes the files that a person names.
enum LocalFile {
    /// Returns the bytes of a file for a node.
    ///
    /// - Throws: ``Failure`` for a file that cannot be read or is too long.
    static func contents(
        of path: String,
        byteCountMax: Int = StoaClient.mediaBytesMax,
        limit: String = "15 MiB"
    ) throws -> [UInt8] {
        try contents(of: path, byteCountMax: byteCountMax) { file in
            Failure(
                .refused,
                "\(file) is longer than \(limit), the maximum that a node accepts. Make it smaller."
            )
        }
    }

    /// Returns the bytes of a file; `tooLong` makes the error for a longer one from its quoted
    /// name.
    ///
    /// - Throws: ``Failure`` for a file that cannot be read or is too long.
    static func contents(
        of path: String,
        byteCountMax: Int,
        tooLong: (String) -> Failure
    ) throws -> [UInt8] {
        guard !path.isEmpty else { throw Failure(.usage, "A file name is empty.") }
        do {
            // A pipe or a device may never end.
            try requireRegular(path)
            let file = try FileHandle(forReadingFrom: URL(filePath: path))
            defer { try? file.close() }
            // One byte more shows that there are too many, whatever the file is.
            let data = try file.read(upToCount: byteCountMax + 1) ?? Data()
            guard data.count <= byteCountMax else { throw tooLong(path.quoted) }
            return [UInt8](data)
        } catch let failure as Failure {
            throw failure
        } catch {
            throw Failure(
                .configuration,
                "\(path.quoted) cannot be read: \(FileProblem.reason(error))"
            )
        }
    }

    /// Throws ``Failure`` if the path is not a regular file.
    private static func requireRegular(_ path: String) throws {
        let type = try FileManager.default.attributesOfItem(
            atPath: URL(filePath: path).resolvingSymlinksInPath().path
        )[.type]
        guard type as? FileAttributeType == .typeRegular else {
            throw Failure(.configuration, "\(path.quoted) is a folder or a device, not a file.")
        }
    }

    /// Refuses to replace a file.
    ///
    /// - Throws: ``Failure`` if there is one of that name.
    static func requireFree(
        _ path: String,
        option: String = "--out",
        canForce: Bool = true
    ) throws {
        guard !path.isEmpty else { throw unnamed(option) }
        // A link that leads nowhere is in the way, too.
        let found = try? FileManager.default.attributesOfItem(atPath: path)
        guard found == nil else { throw taken(path, option, canForce) }
    }

    private static func unnamed(_ option: String) -> Failure {
        Failure(.usage, "\(option) is empty. Name a file.")
    }

    private static func taken(_ path: String, _ option: String, _ canForce: Bool) -> Failure {
        let place = URL(filePath: path).resolvingSymlinksInPath().path
        let type = try? FileManager.default.attributesOfItem(atPath: place)[.type]
        if type as? FileAttributeType == .typeDirectory {
            return Failure(
                .configuration,
                "\(path.quoted) is a folder. Name a file with \(option)."
            )
        }
        let way = canForce ? ", or replace it with --force." : "."
        return Failure(
            .configuration,
            "\(path.quoted) exists. Name another file with \(option)\(way)"
        )
    }

    /// Creates a folder for this user alone, unless there is one.
    ///
    /// - Throws: ``Failure`` that names the folder and the option.
    static func createFolder(_ path: String, option: String) throws {
        do {
            try FileManager.default.createDirectory(
                atPath: path,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
        } catch {
            throw Failure(
                .configuration,
                "The folder \(path.quoted) cannot be created: \(FileProblem.reason(error)) Name "
                    + "another folder with \(option)."
            )
        }
    }

    /// Writes a file.
    ///
    /// - Throws: ``Failure`` that names the file and the option, if the file cannot be written, or
    ///   exists and nothing is forced.
    static func write(
        _ bytes: [UInt8],
        to path: String,
        isForced: Bool,
        option: String = "--out",
        canForce: Bool = true
    ) throws {
        guard !path.isEmpty else { throw unnamed(option) }
        do {
            // A device is not to be replaced by a file.
            if isForced, FileManager.default.fileExists(atPath: path) { try requireRegular(path) }
            let options: Data.WritingOptions = isForced ? .atomic : .withoutOverwriting
            try Data(bytes).write(to: URL(filePath: path), options: options)
        } catch let failure as Failure {
            throw failure
        } catch let error as CocoaError where error.code == .fileWriteFileExists {
            throw taken(path, option, canForce)
        } catch {
            throw Failure(
                .configuration,
                "\(path.quoted) cannot be written: \(FileProblem.reason(error)) Name another file "
                    + "with \(option)."
            )
        }
    }
}
