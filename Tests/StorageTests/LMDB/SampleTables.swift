import Storage

/// Tables that only tests have.
enum Words: Table {
    typealias Key = String
    typealias Value = [UInt8]
    static let name = "words"
}

enum Steps: Table {
    typealias Key = Pair<UInt8, UInt64>
    typealias Value = UInt64
    static let name = "steps"
}

enum Sample {
    static let schema = Schema(number: 1, oldest: 1, tables: [Words.self, Steps.self])

    static func environment(_ folder: String, mapBytes: Int = 16 << 20) throws -> Environment {
        try Environment(folder: folder, mapBytes: mapBytes, schema: schema)
    }
}

extension Environment {
    func word(_ key: String) throws -> [UInt8]? { try read { try $0.get(Words.self, key) } }

    func stepCount() throws -> Int { try read { try $0.count(Steps.self) } }
}
