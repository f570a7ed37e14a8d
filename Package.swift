// swift-tools-version: 6.3
import Foundation
import PackageDescription

// The house, floor by floor (Documentation/architecture.md). A room imports only rooms of lower
// floors, never sideways, never up; the loop below refuses anything else with a sentence.

/// `adapted`: a C library that a few lines of C or C++ of ours make fit for Swift.
enum Kind: Equatable { case cLibrary, adapted(linking: String), library, program }

struct Room {
    let name: String
    var kind = Kind.library
    var imports: [String] = []
    var packages: [Target.Dependency] = []
    /// Whether functions may return a `Span` that borrows from `self`.
    var lifetimes = false
    /// A system library's Debian package; none for the C library itself.
    var debian: String?
    /// Folders that hold no source.
    var excluded: [String] = []
    /// Where the sources are, if not in the folder of the room's name.
    var path: String?
    /// Whether it sees only what is public, as other packages do.
    var isOutside = false
}

let log = Target.Dependency.product(name: "Logging", package: "swift-log")
let protobuf = Target.Dependency.product(name: "SwiftProtobuf", package: "swift-protobuf")
let lifecycle = Target.Dependency.product(
    name: "ServiceLifecycle", package: "swift-service-lifecycle")
let arguments = Target.Dependency.product(
    name: "ArgumentParser", package: "swift-argument-parser")
let subprocess = Target.Dependency.product(name: "Subprocess", package: "swift-subprocess")
let configuration = Target.Dependency.product(
    name: "Configuration", package: "swift-configuration")

let mustache = Target.Dependency.product(name: "Mustache", package: "swift-mustache")
let histogram = Target.Dependency.product(name: "Histogram", package: "hdrhistogram-swift")

let floors: [[Room]] = [
    // 0: C libraries, each imported by one room.
    [
        Room(name: "CZeroMQ", kind: .cLibrary, debian: "libzmq3-dev"),
        Room(name: "CAllocator", kind: .cLibrary),
        Room(name: "CUnicode", kind: .cLibrary, debian: "libutf8proc-dev"),
        Room(name: "CHash", kind: .cLibrary, debian: "libxxhash-dev"),
        Room(name: "CJSON", kind: .cLibrary, debian: "libjansson-dev"),
        Room(name: "CSimdJSON", kind: .adapted(linking: "simdjson"), debian: "libsimdjson-dev"),
        Room(name: "CZstd", kind: .cLibrary, debian: "libzstd-dev"),
        Room(name: "CZlib", kind: .cLibrary, debian: "zlib1g-dev"),
        Room(name: "CCurl", kind: .cLibrary, debian: "libcurl4-openssl-dev"),
        Room(name: "CCrypto", kind: .cLibrary, debian: "libssl-dev"),
        Room(name: "CLineEditor", kind: .adapted(linking: "edit"), debian: "libedit-dev"),
    ],
    // 1: ground.
    [
        Room(name: "FresnelModel"),
        Room(name: "FresnelText", imports: ["CUnicode"], excluded: ["Generated/make-tables"]),
        Room(name: "FresnelKernels", imports: ["CHash", "CZlib", "CZstd"], lifetimes: true),
        Room(name: "FresnelSystem", imports: ["CAllocator"], packages: [log], lifetimes: true),
        Room(name: "FresnelJSON", imports: ["CJSON", "CSimdJSON"], lifetimes: true),
        Room(name: "ZeroMQ", imports: ["CZeroMQ"], lifetimes: true),
    ],
    // 2: languages.
    [
        Room(name: "FresnelQuery", imports: ["FresnelModel", "FresnelText"]),
        Room(
            name: "FresnelWire", imports: ["FresnelModel", "FresnelKernels"],
            packages: [protobuf], lifetimes: true, excluded: ["Schema"]),
        Room(
            name: "FresnelJournal", imports: ["FresnelModel", "FresnelKernels", "FresnelSystem"]),
        Room(
            name: "FresnelSnapshot",
            imports: ["FresnelModel", "FresnelKernels", "FresnelSystem"], lifetimes: true),
    ],
    // 3: sessions: all of the cluster's decisions that a program with the client has inside.
    [
        Room(name: "FresnelSession", imports: ["FresnelModel", "FresnelKernels", "FresnelWire"])
    ],
    // 4: engines.
    [
        Room(
            name: "FresnelS3", imports: ["CCurl", "CCrypto", "FresnelSystem", "FresnelSnapshot"]),
        Room(
            name: "FresnelIndex",
            imports: [
                "FresnelModel", "FresnelText", "FresnelKernels", "FresnelSystem", "FresnelQuery",
                "FresnelWire",
            ], lifetimes: true),
        Room(
            name: "FresnelCluster",
            imports: [
                "FresnelModel", "FresnelKernels", "FresnelQuery", "FresnelWire", "FresnelSession",
            ]),
    ],
    // 5: shells.
    [
        Room(
            name: "FresnelBroker",
            imports: [
                "FresnelModel", "FresnelSystem", "FresnelKernels", "FresnelJSON", "ZeroMQ",
                "FresnelWire", "FresnelCluster",
            ], packages: [log, lifecycle]),
        Room(
            name: "FresnelWorker",
            imports: [
                "FresnelModel", "FresnelSystem", "FresnelKernels", "ZeroMQ", "FresnelQuery",
                "FresnelWire", "FresnelJournal", "FresnelIndex", "FresnelCluster",
                "FresnelSnapshot", "FresnelS3",
            ], packages: [log, lifecycle]),
        Room(
            name: "FresnelClient",
            imports: [
                "FresnelModel", "FresnelText", "FresnelKernels", "FresnelSystem", "FresnelJSON",
                "ZeroMQ", "FresnelQuery", "FresnelWire", "FresnelSession", "FresnelSnapshot",
            ], packages: [log]),
    ],
    // 6: edges. FresnelGateway will stand here.
    [
        Room(
            name: "FresnelLoad",
            imports: [
                "FresnelModel", "FresnelText", "FresnelSystem", "FresnelJSON", "FresnelQuery",
                "FresnelClient",
            ], packages: [histogram, mustache], excluded: ["Generated/make-charts"])
    ],
    // 7: programs.
    [
        Room(
            name: "fresnel", kind: .program,
            imports: [
                "FresnelModel", "FresnelSystem", "FresnelJSON", "ZeroMQ", "FresnelQuery",
                "FresnelIndex", "FresnelBroker", "FresnelWorker", "FresnelClient", "FresnelLoad",
                "FresnelSnapshot", "FresnelS3", "CLineEditor",
            ], packages: [arguments, log, lifecycle, configuration])
    ],
]

/// Measures the rooms from inside, and a cluster from outside, above every floor; no part of any
/// product.
let benchmarks: [Room] = [
    Room(
        name: "BenchmarkWorkload", imports: ["FresnelModel", "FresnelJSON"],
        path: "Benchmarks/Workload"),
    Room(
        name: "ServedBenchmark", kind: .program,
        imports: [
            "FresnelModel", "FresnelSystem", "FresnelJSON", "ZeroMQ", "FresnelWire",
            "FresnelCluster", "FresnelWorker", "FresnelClient", "BenchmarkWorkload",
        ], packages: [arguments, log, lifecycle], path: "Benchmarks/Served"),
    Room(
        name: "EngineBenchmark", kind: .program,
        imports: [
            "FresnelModel", "FresnelSystem", "FresnelJSON", "FresnelQuery", "FresnelWire",
            "FresnelIndex", "FresnelClient", "Meter", "BenchmarkWorkload",
        ], packages: [arguments], path: "Benchmarks/Engine"),
    Room(
        name: "IngestBenchmark", kind: .program,
        imports: [
            "FresnelModel", "FresnelSystem", "FresnelJSON", "FresnelClient", "BenchmarkWorkload",
        ], packages: [arguments], path: "Benchmarks/Ingest"),
    Room(name: "TortureHistory", path: "Benchmarks/Torture/History"),
    Room(
        name: "Torture", kind: .program,
        imports: [
            "FresnelModel", "FresnelSystem", "FresnelJSON", "FresnelClient", "TortureHistory",
        ], packages: [arguments, subprocess], path: "Benchmarks/Torture/Program"),
]

/// What tests draw from.
let testChance = Room(name: "TestChance", path: "Tests/TestChance")

/// Test targets stand above every floor and may import what they test.
let allTests: [Room] = [
    Room(name: "FresnelModelTests", imports: ["FresnelModel"]),
    Room(name: "FresnelTextTests", imports: ["FresnelText"]),
    Room(name: "FresnelKernelsTests", imports: ["FresnelKernels"]),
    Room(name: "FresnelSystemTests", imports: ["FresnelSystem"]),
    Room(name: "FresnelJSONTests", imports: ["FresnelJSON"]),
    Room(name: "ZeroMQTests", imports: ["ZeroMQ", "CZeroMQ"]),
    Room(name: "FresnelQueryTests", imports: ["FresnelModel", "FresnelText", "FresnelQuery"]),
    Room(
        name: "FresnelWireTests",
        imports: ["FresnelModel", "FresnelKernels", "FresnelWire"], packages: [protobuf]),
    Room(
        name: "FresnelJournalTests",
        imports: ["FresnelModel", "FresnelKernels", "FresnelSystem", "FresnelJournal"]),
    Room(
        name: "FresnelSnapshotTests",
        imports: [
            "FresnelModel", "FresnelKernels", "FresnelSystem", "FresnelSnapshot", "FresnelS3",
        ]),
    Room(
        name: "FresnelIndexTests",
        imports: [
            "FresnelModel", "FresnelText", "FresnelKernels", "FresnelSystem", "FresnelQuery",
            "FresnelWire", "FresnelIndex", "FresnelCluster", "FresnelWorker",
        ]),
    Room(
        name: "FresnelClusterTests",
        imports: [
            "FresnelModel", "FresnelKernels", "FresnelQuery", "FresnelWire", "FresnelSession",
            "FresnelCluster", "TestChance",
        ]),
    Room(
        name: "ClusterSimulationTests",
        imports: [
            "FresnelModel", "FresnelKernels", "FresnelWire", "FresnelSession", "FresnelCluster",
            "TestChance",
        ]),
    Room(
        name: "FresnelWorkerTests",
        imports: [
            "FresnelModel", "FresnelKernels", "FresnelSystem", "FresnelQuery", "FresnelWire",
            "FresnelJournal", "FresnelIndex", "FresnelCluster", "ZeroMQ", "FresnelWorker",
        ], packages: [log]),
    Room(
        name: "FresnelClientTests",
        imports: [
            "FresnelModel", "FresnelText", "FresnelQuery", "FresnelJSON", "FresnelSystem",
            "FresnelWire", "ZeroMQ", "FresnelCluster", "FresnelClient",
        ]),
    Room(name: "ClientPageTests", imports: ["FresnelModel", "FresnelClient"], isOutside: true),
    Room(
        name: "FresnelLoadTests",
        imports: [
            "FresnelModel", "FresnelSystem", "FresnelJSON", "FresnelClient", "FresnelLoad",
        ], packages: [histogram]),
    Room(
        name: "ClusterTests",
        imports: [
            "FresnelModel", "FresnelJSON", "FresnelQuery", "FresnelWire", "ZeroMQ",
            "FresnelClient", "FresnelSystem", "FresnelSnapshot", "FresnelS3", "fresnel",
        ], packages: [subprocess, log]),
    Room(name: "TortureTests", imports: ["FresnelSystem", "TortureHistory"]),
    Room(name: "TidyTests"),
]

// A build for a few test targets (FRESNEL_TESTS="ZeroMQTests FresnelClientTests") has only them and
// the rooms that they stand on: with optimisation or a sanitizer the others take most of its time.
let named = Context.environment["FRESNEL_TESTS"]?.split(separator: " ").map(String.init) ?? []
let wanted = named.isEmpty ? nil : named
let tests = allTests.filter { wanted?.contains($0.name) ?? true }
for name in wanted ?? [] where !allTests.contains(where: { $0.name == name }) {
    refuse("FRESNEL_TESTS names \(name), which is no test target")
}
let needed: Set<String>? = wanted.map { _ in
    let all = Dictionary(
        uniqueKeysWithValues: (floors.joined() + benchmarks).map { ($0.name, $0) })
    var needed: Set<String> = []
    var open = tests.flatMap(\.imports)
    while let name = open.popLast() {
        if needed.insert(name).inserted { open += all[name]?.imports ?? [] }
    }
    return needed
}

// Warnings are errors in our own checks, not for users with a newer compiler.
let isStrict = Context.environment["FRESNEL_STRICT"] != nil

func settings(for room: Room) -> [SwiftSetting] {
    var settings: [SwiftSetting] = [
        .strictMemorySafety(),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        .enableUpcomingFeature("InferIsolatedConformances"),
        .enableUpcomingFeature("ImmutableWeakCaptures"),
    ]
    if room.lifetimes { settings.append(.enableExperimentalFeature("Lifetimes")) }
    if isStrict { settings.append(.treatAllWarnings(as: .error)) }
    return settings
}

func refuse(_ sentence: String) -> Never {
    FileHandle.standardError.write(Data((sentence + "\n").utf8))
    exit(1)
}

func dependencies(of room: Room) -> [Target.Dependency] {
    room.imports.map { .target(name: $0) } + room.packages
}

var targets: [Target] = []
var below: Set<String> = []
for floor in floors {
    for room in floor {
        for name in room.imports where !below.contains(name) {
            refuse("\(room.name) may not import \(name): not on a lower floor")
        }
        guard needed?.contains(room.name) ?? true else { continue }
        switch room.kind {
        case .cLibrary:
            targets.append(
                .systemLibrary(name: room.name, providers: room.debian.map { [.apt([$0])] }))
        case .adapted(let library):
            targets.append(
                .target(name: room.name, linkerSettings: [.linkedLibrary(library)]))
        case .library:
            targets.append(
                .target(
                    name: room.name, dependencies: dependencies(of: room),
                    exclude: room.excluded, swiftSettings: settings(for: room)))
        case .program:
            targets.append(
                .executableTarget(
                    name: room.name, dependencies: dependencies(of: room),
                    swiftSettings: settings(for: room)))
        }
    }
    below.formUnion(floor.map(\.name))
}
if needed == nil {
    targets.append(.target(name: "Meter", path: "Benchmarks/Meter"))
    targets.append(
        .executableTarget(
            name: "MessageFloor", path: "Benchmarks/Floor", linkerSettings: [.linkedLibrary("zmq")])
    )
}
for room in benchmarks where needed?.contains(room.name) ?? true {
    targets.append(
        room.kind == .program
            ? .executableTarget(
                name: room.name, dependencies: dependencies(of: room), path: room.path,
                swiftSettings: settings(for: room))
            : .target(
                name: room.name, dependencies: dependencies(of: room), path: room.path,
                swiftSettings: settings(for: room)))
}
if needed?.contains(testChance.name) ?? true {
    targets.append(
        .target(
            name: testChance.name, path: testChance.path, swiftSettings: settings(for: testChance)))
}
for room in tests {
    targets.append(
        .testTarget(
            name: room.name, dependencies: dependencies(of: room),
            packageAccess: !room.isOutside, swiftSettings: settings(for: room)))
}

let package = Package(
    name: "fresnel",
    products: needed != nil
        ? []
        : [
            .executable(name: "fresnel", targets: ["fresnel"]),
            .library(name: "FresnelClient", targets: ["FresnelClient", "FresnelModel"]),
        ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-protobuf", from: "1.39.0"),
        .package(url: "https://github.com/apple/swift-configuration", from: "1.4.0", traits: []),
        .package(
            url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.2", traits: []),
        .package(url: "https://github.com/hummingbird-project/swift-mustache", from: "2.1.1"),
        .package(url: "https://github.com/HdrHistogram/hdrhistogram-swift", from: "0.2.0"),
    ],
    targets: targets
)
