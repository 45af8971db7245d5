import Foundation

extension DataFolder {
    /// Creates the folder with a market's settings, and the market's file that they name.
    ///
    /// The settings are read and checked before anything is created.
    ///
    /// - Parameter file: The settings, in the form of `stoa.yaml`.
    /// - Throws: ``ConfigurationError`` for invalid settings, and ``DataFolderError``, with
    ///   ``DataFolderError/hasSettings(path:)`` if the folder has some already.
    package func join(settings file: String) throws {
        guard FileManager.default.isReadableFile(atPath: file) else {
            throw DataFolderError.notReadable(path: file)
        }
        let market = try Configuration(
            ConfigurationSources(flags: [:], environment: [:], file: file)
        )
        for chain in market.chains where chain.isFollowed {
            guard FileManager.default.isReadableFile(atPath: chain.deployment) else {
                throw DataFolderError.notReadable(path: chain.deployment)
            }
        }
        guard !FileManager.default.fileExists(atPath: configurationFile) else {
            throw DataFolderError.hasSettings(path: configurationFile)
        }
        try initialise()
        try copySettings(of: file)
    }
}
