// swift-tools-version: 6.2
import PackageDescription

/// Whether the fuzzer is built, and not the tests; `Scripts/fuzz` sets the variable.
let isFuzzed = Context.environment["STOA_FUZZ"] != nil

/// What makes libFuzzer see which code an input reaches; optimised, because it runs millions.
let instrumented: [SwiftSetting] =
    isFuzzed ? [.unsafeFlags(["-sanitize=fuzzer,address", "-O"])] : []

let strict: [SwiftSetting] =
    [
        .treatAllWarnings(as: .error),
        .strictMemorySafety(),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        .enableUpcomingFeature("InferIsolatedConformances"),
        .enableUpcomingFeature("ImmutableWeakCaptures"),
    ] + instrumented

let bigInt: Target.Dependency = .product(name: "BigInt", package: "BigInt")
let crypto: Target.Dependency = .product(name: "Crypto", package: "swift-crypto")
let cryptoExtras: Target.Dependency = .product(name: "CryptoExtras", package: "swift-crypto")
let deque: Target.Dependency = .product(name: "DequeModule", package: "swift-collections")
let heap: Target.Dependency = .product(name: "HeapModule", package: "swift-collections")
let grdb: Target.Dependency = .product(name: "GRDB", package: "GRDB.swift")
let httpClient: Target.Dependency = .product(name: "AsyncHTTPClient", package: "async-http-client")
let hummingbird: Target.Dependency = .product(name: "Hummingbird", package: "hummingbird")
let lifecycle: Target.Dependency = .product(
    name: "ServiceLifecycle",
    package: "swift-service-lifecycle"
)
let signals: Target.Dependency = .product(name: "UnixSignals", package: "swift-service-lifecycle")
let logging: Target.Dependency = .product(name: "Logging", package: "swift-log")
let metrics: Target.Dependency = .product(name: "Metrics", package: "swift-metrics")
let protobuf: Target.Dependency = .product(name: "SwiftProtobuf", package: "swift-protobuf")
let nioCore: Target.Dependency = .product(name: "NIOCore", package: "swift-nio")
let nio: [Target.Dependency] = [
    nioCore,
    .product(name: "NIOPosix", package: "swift-nio"),
]
let nioTLS: Target.Dependency = .product(name: "NIOSSL", package: "swift-nio-ssl")
let nioWeb: [Target.Dependency] = [
    .product(name: "NIOHTTP1", package: "swift-nio"),
    .product(name: "NIOWebSocket", package: "swift-nio"),
]

/// The benchmarks and the C programs they compare with.
///
/// Neither a user of the library nor the tests need them; `Scripts/bench` sets the variable.
let benchmarks: [Target] =
    Context.environment["STOA_BENCHMARKS"] == nil
    ? []
    : [
        .target(
            name: "Limits",
            dependencies: ["CLMDB", "COpenSSL", "CSecp256k1"],
            path: "Benchmarks/Limits",
            cSettings: [.unsafeFlags(["-O3"])],
            linkerSettings: [.linkedLibrary("sqlite3")]
        ),
        .executableTarget(
            name: "Benchmarks",
            dependencies: [
                "Concurrency", "Contracts", "Ethereum", "Gossip", "GossipProtocol", "Keys",
                "Limits", "Market", "Storage", hummingbird, logging,
            ] + nio,
            path: "Benchmarks",
            exclude: ["Limits"],
            swiftSettings: strict
        ),
    ]

/// The parsers of strangers' bytes, run by libFuzzer or, without it, by a test.
let fuzz: [Target] =
    isFuzzed
    ? [
        .systemLibrary(name: "CFuzzer", path: "Tests/FuzzTests/CFuzzer"),
        .executableTarget(
            name: "Fuzz",
            dependencies: [
                "CFuzzer", "Contracts", "Ethereum", "Gossip", "GossipProtocol", "Keys", "Market",
                "MediaFiles",
            ],
            path: "Tests/FuzzTests",
            exclude: [
                "CFuzzer", "ChainSeeds.swift", "CorpusTests.swift", "FuzzSeeds.swift", "corpus",
            ],
            swiftSettings: strict,
            linkerSettings: [.unsafeFlags(["-sanitize=fuzzer,address", "-use-ld=lld"])]
        ),
    ]
    : [
        .testTarget(
            name: "FuzzTests",
            dependencies: [
                "Contracts", "Ethereum", "Gossip", "GossipProtocol", "Keys", "Market", "MediaFiles",
                "Support", bigInt,
            ],
            exclude: ["CFuzzer", "Driver", "corpus"],
            swiftSettings: strict
        )
    ]

let package = Package(
    name: "stoa",
    platforms: [.macOS(.v26)],
    products: [
        .executable(name: "stoa", targets: ["CLI"]),
        .library(name: "StoaClient", targets: ["Client"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
        .package(url: "https://github.com/apple/swift-collections", exact: "1.6.0"),
        .package(
            url: "https://github.com/apple/swift-configuration",
            exact: "1.4.0",
            traits: ["YAML"]
        ),
        .package(url: "https://github.com/apple/swift-crypto", exact: "4.5.2"),
        .package(url: "https://github.com/apple/swift-http-types", exact: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics", exact: "2.13.0"),
        .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-extras", exact: "1.35.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl", exact: "2.37.6"),
        .package(url: "https://github.com/apple/swift-protobuf", exact: "1.39.0"),
        .package(url: "https://github.com/attaswift/BigInt", exact: "6.0.1"),
        .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", exact: "2.28.1"),
        .package(url: "https://github.com/jpsim/Yams", exact: "6.2.2"),
        .package(url: "https://github.com/swift-server/async-http-client", exact: "1.37.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", exact: "2.13.0"),
    ],
    targets: [
        .systemLibrary(
            name: "CLMDB",
            path: "Sources/System/CLMDB",
            pkgConfig: "lmdb",
            providers: [.apt(["liblmdb-dev"])]
        ),
        .systemLibrary(
            name: "COpenSSL",
            path: "Sources/System/COpenSSL",
            pkgConfig: "openssl",
            providers: [.apt(["libssl-dev"])]
        ),
        .systemLibrary(
            name: "CPNG",
            path: "Sources/System/CPNG",
            pkgConfig: "libpng",
            providers: [.apt(["libpng-dev"])]
        ),
        .systemLibrary(name: "CProcess", path: "Sources/System/CProcess"),
        .systemLibrary(
            name: "CQREncode",
            path: "Sources/System/CQREncode",
            pkgConfig: "libqrencode",
            providers: [.apt(["libqrencode-dev"])]
        ),
        .systemLibrary(
            name: "CSecp256k1",
            path: "Sources/System/CSecp256k1",
            pkgConfig: "libsecp256k1",
            providers: [.apt(["libsecp256k1-dev"])]
        ),
        .systemLibrary(
            name: "CZlib",
            path: "Sources/System/CZlib",
            pkgConfig: "zlib",
            providers: [.apt(["zlib1g-dev"])]
        ),
        .systemLibrary(
            name: "CStemmer",
            path: "Sources/System/CStemmer",
            providers: [.apt(["libstemmer-dev"])]
        ),
        .target(name: "CPage", path: "Sources/System/CPage", exclude: ["page.bin"]),
        .target(name: "CPlaces", path: "Sources/System/CPlaces", exclude: ["places.bin"]),
        .target(name: "CTexts", path: "Sources/System/CTexts"),
        .target(name: "Texts", dependencies: ["CTexts"], swiftSettings: strict),
        .target(
            name: "Concurrency",
            dependencies: [deque, logging, metrics],
            swiftSettings: strict
        ),
        .target(
            name: "Keys",
            dependencies: ["CSecp256k1", crypto, cryptoExtras],
            swiftSettings: strict
        ),
        .target(
            name: "Market",
            dependencies: ["Keys", "Texts", bigInt, crypto],
            exclude: ["Wire/mail.proto", "Wire/payload.proto", "Wire/record.proto"],
            swiftSettings: strict
        ),
        .target(
            name: "Storage",
            dependencies: [
                "CLMDB", "CPlaces", "CStemmer", "Concurrency", "Keys", "Market", "Texts", grdb,
                logging, metrics, .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ],
            swiftSettings: strict
        ),
        .target(
            name: "GossipProtocol",
            dependencies: ["Keys", "Market", crypto, deque, heap],
            exclude: [
                "Wire/blob_exchange.proto", "Wire/mail_exchange.proto", "Wire/rpc.proto",
            ],
            swiftSettings: strict
        ),
        .target(
            name: "Gossip",
            dependencies: [
                "COpenSSL", "Concurrency", "GossipProtocol", "Keys", "Market", deque, logging,
                metrics,
            ] + nio,
            swiftSettings: strict
        ),
        .target(
            name: "Ethereum",
            dependencies: [
                "Concurrency", "Keys", "Market", "Texts", bigInt, httpClient, logging, metrics,
                nioTLS,
            ] + nio + nioWeb,
            swiftSettings: strict
        ),
        .target(
            name: "Contracts",
            dependencies: ["Ethereum", "Keys", "Market", "Texts", logging],
            exclude: ["Artifacts", "Vyper"],
            swiftSettings: strict
        ),
        .target(
            name: "Client",
            dependencies: ["Concurrency", "Texts", crypto, httpClient] + nio + nioWeb,
            swiftSettings: strict
        ),
        .target(
            name: "Setup",
            dependencies: [
                "CProcess", "Client", "Contracts", "Ethereum", "Gossip", "GossipProtocol", "Keys",
                "Market", "Storage", logging, metrics,
                .product(name: "Configuration", package: "swift-configuration"),
                .product(name: "Yams", package: "Yams"),
            ],
            swiftSettings: strict
        ),
        .target(
            name: "Answers",
            dependencies: ["Client", "Concurrency", "Keys", "Market", "Setup", "Storage"],
            swiftSettings: strict
        ),
        .target(
            name: "AccountAccess",
            dependencies: [
                "Answers", "CProcess", "Client", "Concurrency", "Keys", "Market", "Setup",
                "Storage", "Texts", crypto, logging,
            ],
            swiftSettings: strict
        ),
        .target(
            name: "Records",
            dependencies: [
                "Answers", "Client", "Concurrency", "Gossip", "GossipProtocol", "Keys", "Market",
                "Storage", "Texts", logging, metrics,
            ],
            swiftSettings: strict
        ),
        .target(
            name: "MediaFiles",
            dependencies: [
                "Answers", "CZlib", "Client", "Concurrency", "Gossip", "Keys", "Market", "Setup",
                "Storage", "Texts", crypto, hummingbird, logging, metrics, nioCore,
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            swiftSettings: strict
        ),
        .target(
            name: "Mail",
            dependencies: [
                "AccountAccess", "Answers", "Client", "Concurrency", "Gossip", "GossipProtocol",
                "Keys", "Market", "MediaFiles", "Records", "Setup", "Storage", logging, metrics,
            ],
            swiftSettings: strict
        ),
        .target(
            name: "Trade",
            dependencies: [
                "AccountAccess", "Answers", "Client", "Concurrency", "Contracts", "Ethereum",
                "GossipProtocol", "Keys", "Mail", "Market", "MediaFiles", "Records",
                "Setup", "Storage", "Texts", bigInt, crypto, logging, nioCore,
            ],
            swiftSettings: strict
        ),
        .target(
            name: "NodeAPI",
            dependencies: [
                "AccountAccess", "Answers", "CPage", "Client", "Concurrency", "Ethereum", "Gossip",
                "GossipProtocol", "Keys", "Mail", "Market", "MediaFiles", "Records", "Setup",
                "Storage", "Trade", hummingbird, lifecycle, logging, metrics, nioCore,
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
                .product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras"),
            ] + nioWeb,
            swiftSettings: strict
        ),
        .target(
            name: "Node",
            dependencies: [
                "AccountAccess", "Answers", "Client", "Concurrency", "Ethereum", "Gossip",
                "GossipProtocol", "Keys", "Mail", "Market", "MediaFiles", "NodeAPI", "Records",
                "Setup", "Storage", "Trade", lifecycle, logging, metrics, signals,
            ],
            swiftSettings: strict
        ),
        .target(
            name: "Cluster",
            dependencies: [
                "Answers", "Client", "Concurrency", "Contracts", "Ethereum", "GossipProtocol",
                "Keys", "Market", "Setup", "Storage", "Trade", logging,
            ] + nio,
            swiftSettings: strict
        ),
        .executableTarget(
            name: "CLI",
            dependencies: [
                "AccountAccess", "Answers", "CPNG", "CQREncode", "Client", "Cluster", "Concurrency",
                "Keys", "Mail", "MediaFiles", "Node", "Setup", "Texts", "Trade", bigInt, logging,
                signals,
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: strict
        ),
        .target(
            name: "WireMessages",
            dependencies: [protobuf],
            path: "Tests/WireMessages",
            swiftSettings: strict
        ),
        .target(
            name: "Support",
            dependencies: [
                "Client", "Concurrency", "Contracts", "Ethereum", "Gossip", "GossipProtocol",
                "Keys", "Market", "Records", "Setup", "Storage", bigInt, logging, nioTLS,
            ] + nio + nioWeb,
            path: "Tests/Support",
            swiftSettings: strict
        ),
        .testTarget(
            name: "ConcurrencyTests",
            dependencies: ["Concurrency", "Support"],
            swiftSettings: strict
        ),
        .testTarget(name: "TextsTests", dependencies: ["Texts"], swiftSettings: strict),
        .testTarget(
            name: "KeysTests",
            dependencies: ["Keys", "Support", bigInt, crypto],
            swiftSettings: strict
        ),
        .testTarget(
            name: "MarketTests",
            dependencies: [
                "Keys", "Market", "Support", "Texts", "WireMessages", bigInt, protobuf,
            ],
            swiftSettings: strict
        ),
        .executableTarget(
            name: "StoreWriter",
            dependencies: ["Keys", "Market", "Storage"],
            path: "Tests/StoreWriter",
            swiftSettings: strict
        ),
        .testTarget(
            name: "StorageTests",
            dependencies: [
                "Concurrency", "Keys", "Market", "Storage", "StoreWriter", "Support", "Texts", grdb,
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "GossipProtocolTests",
            dependencies: [
                "GossipProtocol", "Keys", "Market", "Support", "WireMessages", protobuf,
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "GossipTests",
            dependencies: [
                "COpenSSL", "Concurrency", "Gossip", "GossipProtocol", "Keys", "Market", "Support",
                crypto, logging,
                .product(name: "NIOEmbedded", package: "swift-nio"),
            ] + nio,
            swiftSettings: strict
        ),
        .testTarget(
            name: "EthereumTests",
            dependencies: [
                "Concurrency", "Ethereum", "Keys", "Market", "Support", "Texts", bigInt, logging,
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "ContractsTests",
            dependencies: [
                "Contracts", "Ethereum", "Keys", "Market", "Support", "Texts", bigInt,
            ],
            swiftSettings: strict
        ),
        .executableTarget(
            name: "HostilePeer",
            dependencies: [
                "Gossip", "GossipProtocol", "Keys", "Market", logging,
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Tests/HostilePeer",
            swiftSettings: strict
        ),
        .testTarget(
            name: "ClientTests",
            dependencies: ["Client", "Support"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "CLITests",
            dependencies: [
                "CLI", "Client", "Cluster", "NodeAPI", "Setup", "Support", "Texts",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "SetupTests",
            dependencies: ["Ethereum", "Keys", "Market", "Setup", "Support"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "AnswersTests",
            dependencies: ["Answers", "Client", "Keys", "Market", "Support"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "AccountAccessTests",
            dependencies: [
                "AccountAccess", "Answers", "CProcess", "Client", "Concurrency", "Keys",
                "MailSupport", "Market", "Setup", "Storage", "Support",
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "RecordsTests",
            dependencies: [
                "Answers", "Client", "GossipProtocol", "Keys", "Market", "Records", "Storage",
                "Support", logging,
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "MediaFilesTests",
            dependencies: [
                "Answers", "Client", "Concurrency", "Gossip", "GossipProtocol", "Keys", "Market",
                "MediaFiles", "Setup", "Storage", "Support", crypto, logging, nioCore,
            ],
            swiftSettings: strict
        ),
        .target(
            name: "MailSupport",
            dependencies: [
                "AccountAccess", "Client", "Concurrency", "Gossip", "GossipProtocol", "Keys",
                "Mail", "Market", "Records", "Setup", "Storage", "Support", logging,
            ],
            path: "Tests/MailSupport",
            swiftSettings: strict
        ),
        .testTarget(
            name: "MailTests",
            dependencies: [
                "AccountAccess", "Answers", "Client", "Concurrency", "Gossip", "GossipProtocol",
                "Keys", "Mail", "MailSupport", "Market", "Records", "Storage", "Support",
                "WireMessages", logging,
            ],
            swiftSettings: strict
        ),
        .target(
            name: "TradeSupport",
            dependencies: [
                "AccountAccess", "Client", "Concurrency", "Contracts", "Ethereum", "Keys", "Market",
                "Records", "Setup", "Storage", "Support", "Trade",
            ],
            path: "Tests/TradeSupport",
            swiftSettings: strict
        ),
        .testTarget(
            name: "TradeTests",
            dependencies: [
                "AccountAccess", "Answers", "Client", "Concurrency", "Contracts", "Ethereum",
                "Gossip", "GossipProtocol", "Keys", "Mail", "MailSupport", "Market", "MediaFiles",
                "Records", "Setup", "Storage", "Support", "Texts", "Trade", "TradeSupport", logging,
                nioCore,
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "NodeAPITests",
            dependencies: [
                "AccountAccess", "Answers", "Client", "Concurrency", "Gossip", "Keys", "Mail",
                "MailSupport", "Market", "MediaFiles", "NodeAPI", "Records", "Storage", "Support",
                "Trade", logging,
                nioCore,
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
            ] + nioWeb,
            swiftSettings: strict
        ),
        .testTarget(
            name: "NodeTests",
            dependencies: [
                "AccountAccess", "Answers", "Client", "Concurrency", "Contracts", "Ethereum",
                "Gossip", "GossipProtocol", "Keys", "Mail", "MailSupport", "Market", "Node",
                "NodeAPI", "Records", "Setup", "Storage", "Support", "Trade", "TradeSupport",
                crypto, httpClient, logging,
            ] + nio + nioWeb,
            swiftSettings: strict
        ),
        .testTarget(
            name: "ClusterTests",
            dependencies: [
                "Client", "Cluster", "Contracts", "Ethereum", "Keys", "Market", "Setup", "Storage",
                "Support", "Trade", logging,
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "InteropTests",
            dependencies: ["Ethereum", "Keys", "Market", "Support", bigInt],
            exclude: [
                "conftest.py", "ethereum_cases.py", "ethereum_check.py", "ethereum_kinds.py", "go",
                "go_peer.py", "record.py", "test_ethereum_check.py", "test_go_peer.py",
                "test_market.py", "wallet_sign.py",
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "SimulationTests",
            dependencies: ["GossipProtocol", "Keys", "Market", "Storage", "Support", heap],
            swiftSettings: strict
        ),
        .testTarget(name: "TidyTests", swiftSettings: strict),
    ] + benchmarks + fuzz,
    swiftLanguageModes: [.v6]
)
