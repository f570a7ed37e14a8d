import FresnelModel
import FresnelWire

/// The largest instance of every verb that the model's limits allow, and beyond where peers may say
/// anything.
enum Largest {
    static let name = String(repeating: "n", count: Limits.indexNameBytes)

    static func command(of verb: Verb, text: String) -> Command? {
        switch verb {
        case .welcome: .welcome(Samples.made(Samples.welcome) { $0.dataEndpoint += name })
        case .hello: .hello(Samples.made(Samples.hello) { $0.shards = inventories })
        case .reject: .reject(failure(text))
        case .error: .error(failure(text))
        case .busy: .busy(failure(text))
        case .ping: .ping(Samples.made(Samples.pulse) { $0.shards = inventories })
        case .pong: .pong(Samples.made(Samples.pulse) { $0.shards = inventories })
        case .hosted:
            .hosted(
                Samples.made(WireHosted()) {
                    $0.shards = inventories
                    $0.failures = failures(text)
                })
        case .join: .join(Samples.join)
        case .accepted: .accepted(Samples.made(WireAccepted()) { $0.warnings = warnings(text) })
        case .subquery: .subquery(subquery)
        case .statistics: .statistics(subquery)
        case .found:
            .found(
                Samples.made(WireFound()) {
                    $0.items = .max; $0.total = .max
                    $0.booleans = booleans
                })
        case .credit:
            .credit(
                Samples.made(WireCredit()) {
                    $0.items = .max; $0.bytes = .max
                })
        case .partDone:
            .partDone(
                Samples.made(WirePartDone()) {
                    $0.shards = reports(2000, text)
                    $0.facets = facets
                    $0.error = failure(text)
                })
        case .done: .done(done(70_000, text))
        case .changes:
            .changes(
                Samples.made(Samples.changes) {
                    $0.end = failure(text)
                    $0.reached.from = snapshots
                    $0.reached.to = snapshots
                })
        case .statisticsReply: .statisticsReply(statistics)
        case .putPart: .putPart(putPart)
        case .partAck: .partAck(partAck(text))
        case .putAck: .putAck(putAck(1000, text))
        case .state:
            .state(
                Samples.made(WireClientState()) {
                    $0.stateBytes = [UInt8](repeating: 9, count: Limits.clientStateBytes)
                })
        case .assign: .assign(assign)
        case .statusReply: .statusReply(status)
        case .indexesChanged: .indexesChanged(indexesChanged)
        case .planReply: .planReply(Samples.largestPlan(name, text))
        case .catchUp, .offerReplica, .dropReplica, .replicaState, .fetchReplica, .replicaChunk,
            .checkReplica, .replicaDigest:
            replica(verb, text: text)
        case .storedShard: .storedShard(storedShard(text))
        case .storeShard: .storeShard(storeShard)
        case .snapshotDone: .snapshotDone(snapshotDone)
        default: nil
        }
    }

    private static let indexesChanged = Samples.made(WireIndexesChanged()) {
        $0.index = name
        $0.former = name
        $0.documents = .max
        $0.away = [String](
            repeating: String(repeating: "w", count: Limits.workerNameBytes), count: 1024)
    }

    private static let snapshots = (0..<Limits.indexes).map { _ in
        Samples.made(WireIndexSnapshot()) {
            $0.index = name
            $0.sequence = .max
        }
    }

    static func failure(_ text: String) -> WireFailure {
        Samples.made(WireFailure()) {
            $0.code = 500
            $0.message = text
            $0.expected = text
            $0.found = text
            $0.hint = text
        }
    }

    static func putAck(_ count: UInt32, _ text: String) -> WirePutAck {
        Samples.made(WirePutAck()) { $0.refusals = refusals(count, String(text.prefix(2000))) }
    }

    private static func partAck(_ text: String) -> WirePartAck {
        Samples.made(WirePartAck()) {
            $0.index = name
            $0.refusals = refusals(1000, String(text.prefix(2000)))
            $0.error = failure(text)
        }
    }

    private static func refusals(_ count: UInt32, _ text: String) -> [WireItemResult] {
        (0..<count).map { position in
            Samples.made(WireItemResult()) {
                $0.position = position
                $0.code = -1001
                $0.message = text
            }
        }
    }

    static func done(_ shards: Int, _ text: String) -> WireDone {
        Samples.made(WireDone()) {
            $0.status = "incomplete"
            $0.found = 7
            $0.shards = reports(shards, text)
            $0.warnings = warnings(text)
            $0.error = failure(text)
            $0.facets = facets
            $0.booleans = booleans
        }
    }

    /// Names of Boolean keys, as many as may travel.
    private static let booleans = (0..<Limits.booleanNameBytes / 131).map { number in
        let digits = "\(number)"
        return digits + String(repeating: "b", count: 128 - digits.count)
    }

    private static let facets = (0..<Limits.facets).map { _ in
        Samples.made(WireFacetCounts()) {
            $0.attribute = String(repeating: "f", count: Limits.attributeNameBytes)
            $0.values = (0..<Limits.facetValues).map { number in
                Samples.made(WireFacetValue()) {
                    $0.text = "value \(number) " + String(repeating: "v", count: 100)
                    $0.count = UInt64(Limits.facetValues - number)
                }
            }
        }
    }

    /// The first hundred have failed, with a long text.
    private static func reports(_ count: Int, _ text: String) -> [WireShardReport] {
        (0..<count).map { number in
            Samples.made(WireShardReport()) {
                $0.index = name
                $0.shard = UInt32(number % 1024)
                $0.worker = name
                $0.status = number < 100 ? .failed : .complete
                $0.message = number < 100 ? String(text.prefix(500)) : ""
                $0.searched = .max
                $0.owned = .max
                $0.found = .max
                $0.queueUs = .max
                $0.matchUs = .max
            }
        }
    }

    private static func warnings(_ text: String) -> [WireWarning] {
        (0..<600).map { number in
            Samples.made(WireWarning()) {
                $0.offset = UInt32(number)
                $0.message = String(text.prefix(1000))
            }
        }
    }

    private static let inventories = (0..<4096).map { number in
        Samples.made(WireShardInventory()) {
            $0.index = name
            $0.shard = UInt32(number)
            $0.lastSequence = 1 << 61
            $0.documents = 1 << 61
        }
    }

    private static func failures(_ text: String) -> [WireShardFailure] {
        (0..<4096).map { number in
            Samples.made(WireShardFailure()) {
                $0.index = name
                $0.shard = UInt32(number)
                $0.damaged = true
                $0.failure = failure(text)
            }
        }
    }

    private static let customKeys = (0..<Limits.customAttributeKeys).map { number in
        Samples.made(WireCustomKey()) {
            let digits = String(number + 1000)
            let length = Limits.attributeNameBytes - digits.utf8.count
            $0.name = String(repeating: "k", count: length) + digits
            $0.valueType = 12
            $0.searchable = true
            $0.searchableByDefault = true
            $0.unique = true
            $0.multiValued = true
        }
    }

    private static let statistics = Samples.made(WireStatistics()) {
        $0.documents = .max
        $0.leafDocuments = [UInt64](repeating: .max, count: Limits.queryPredicates)
    }

    /// A QUERY that just fits its own frame, every custom key, every shard of the cluster here.
    private static let subquery = Samples.made(WireSubquery()) {
        $0.search = Samples.search
        $0.search.identifiers = (0..<Limits.fetchedIdentifiers).map { number in
            String(repeating: "i", count: 250) + String(number + 1000)
        }
        $0.statistics = statistics
        $0.customKeys = customKeys
        $0.targets = (0..<Limits.clusterReplicas).map { number in
            Samples.made(WireShardTarget()) {
                $0.index = name
                $0.shard = UInt32(number % 1024)
                $0.snapshot = 1 << 61
                $0.epoch = 1 << 20
            }
        }
    }

    /// A PUT that just fits its own frame, and every custom key.
    private static let putPart = Samples.made(WirePutPart()) {
        $0.index = name
        $0.operations = (0..<1000).map { number in
            Samples.made(WireOperation()) {
                $0.kind = .index
                $0.position = UInt32(number)
                $0.routingHash = .max
                $0.routedByRelation = true
                $0.bodyOffset = 1 << 20
                $0.bodyLength = 1 << 20
                $0.identifier = String(repeating: "i", count: 225)
            }
        }
        $0.customKeys = customKeys
        $0.context = Samples.context
    }

    static let assign = Samples.made(WireAssign()) {
        $0.indexes = (0..<64).map { _ in
            Samples.made(WireIndexAssignment()) {
                $0.index = name
                $0.shardCount = 1024
                $0.shards = Array(0..<1024)
                $0.customKeys = customKeys
            }
        }
    }

    static let status = Samples.made(WireStatusReply()) {
        $0.unknownReplicas = (0..<Limits.unknownReplicasPerWorker).map { number in
            Samples.made(WireUnknownReplica()) {
                $0.index = name
                $0.shard = UInt32(number)
                $0.worker = name
                $0.lastSequence = .max
                $0.message = String(repeating: "m", count: 500)
            }
        }
        $0.removed = (0..<Limits.removedIndexes).map { _ in
            Samples.made(WireRemovedIndex()) {
                $0.name = name
                $0.workers = [name, name]
                $0.replicas = 1024
                $0.message = name
            }
        }
        $0.workers = (0..<1024).map { _ in
            Samples.made(WireWorkerStatus()) {
                $0.name = name
                $0.state = "suspect"
                $0.software = String(repeating: "s", count: 256)
                $0.residentBytes = .max
                $0.merges = .max
                $0.mergedBytes = .max
            }
        }
        $0.indexes = (0..<64).map { _ in
            Samples.made(WireIndexStatus()) {
                $0.name = name
                $0.customKeys = customKeys
                $0.shards = (0..<1024).map { number in
                    Samples.made(WireShardPlacement()) {
                        $0.shard = UInt32(number)
                        $0.worker = name
                        $0.state = "unreachable"
                    }
                }
            }
        }
    }
}
