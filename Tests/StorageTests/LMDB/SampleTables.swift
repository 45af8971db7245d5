import Storage

/// Tables that only tests have.
enum Words: Table {
    typealias Key = String
    typealias Value = [UInt8]
    static let name = "words"
}

enum Steps: Table {
    typealias Key = CompositeKey<UInt8, UInt64>
    typealias Value = UInt64
    static let name = "steps"
}

enum Marks: Table {
    typealias Key = UInt64
    typealias Value = EmptyValue
    static let name = "marks"
}

/// Whether the sample tables share a tree.
enum SampleForm: CaseIterable {
    case own, shared

    fileprivate var trees: [Tree] {
        switch self {
        case .own: [.own(Words.self), .own(Steps.self), .own(Marks.self)]
        case .shared: [.shared("all", [Words.self, Steps.self, Marks.self])]
        }
    }
}

enum Sample {
    static func environment(
        _ folder: String,
        mapBytes: Int = 16 << 20,
        form: SampleForm = .own
    ) throws -> Environment {
        let schema = Schema(number: 1, oldest: 1, trees: form.trees)
        return try Environment(folder: folder, mapBytes: mapBytes, schema: schema)
    }
}

extension Environment {
    func word(_ key: String) throws -> [UInt8]? { try read { try $0.get(Words.self, key) } }

    func stepCount() throws -> Int { try read { try $0.count(Steps.self) } }
}
