import FresnelJSON
import FresnelModel
import FresnelSystem
import FresnelWire
import Logging
import ZeroMQ

/// Writes down every query that clients ask, one JSON object a line, on a thread of its own
/// (Documentation/file-formats.md, "Query log").
///
/// Texts of queries, options and times; neither who asked nor what was found. A file that is full
/// is renamed to `FILE.1`, so the two never hold more than ``Limits/queryLogBytes``. What cannot be
/// written is left out and said in the broker's log: no query waits for this file.
final class QueryLog: LoopHandler {
    private let path: String
    private let storage: any Storage
    private let logger: Logger
    private var file: (any StorageFile)?
    private var waiting: [UInt8] = []
    private var writtenBytes = 0
    private var hasComplained = false
    let takesMailAtStop = true

    /// The file is opened by the first query, and gone on with behind what is in it.
    init(path: String, storage: any Storage, logger: Logger) {
        self.path = path
        self.storage = storage
        self.logger = logger
    }

    func receive(_ reception: Reception, on socket: SocketID) {}

    func receive(_ mail: [UInt8]) {
        waiting += mail
    }

    func finishTurn() -> Duration? {
        guard !waiting.isEmpty else { return nil }
        defer { waiting = [] }
        do throws(SystemError) {
            try write()
        } catch {
            if !hasComplained { logger.error("queries are not written down any more: \(error)") }
            hasComplained = true
        }
        return nil
    }

    func stop() {
        _ = finishTurn()
        file?.close()
    }

    private func write() throws(SystemError) {
        var file: any StorageFile
        if let open = self.file { file = open } else { file = try open() }
        if writtenBytes + waiting.count > Limits.queryLogBytes / 2, writtenBytes > 0 {
            file.close()
            self.file = nil
            try storage.rename(path, to: path + ".1")
            file = try open()
        }
        try file.append(waiting)
        writtenBytes += waiting.count
    }

    private func open() throws(SystemError) -> any StorageFile {
        let file = try storage.open(path, create: .ifMissing)
        writtenBytes = try file.size()
        self.file = file
        return file
    }
}

extension QueryLog {
    /// Whether a file is one that this log wrote, is empty, or is not there.
    static func mayBe(_ path: String, _ storage: any Storage) throws(SystemError) -> Bool {
        guard let size = try storage.size(of: path), size > 0 else { return true }
        let beginning = Array("{\"".utf8)
        guard size >= beginning.count else { return false }
        let file = try storage.open(path, create: .readOnly)
        defer { file.close() }
        guard try file.read(at: 0, count: beginning.count) == beginning else { return false }
        let first = try file.read(at: 0, count: min(size, firstLineBytes))
        // Every line tells when the query came.
        let text = String(decoding: first.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
        return text.contains("\"at\":")
    }

    /// Bytes in which the first line tells of itself, at the latest: those of the longest query.
    private static let firstLineBytes = 1 << 20

    /// A query as a line.
    ///
    /// - Parameter wall: when it came.
    static func line(_ search: WireSearch, budget: Duration?, at wall: Timestamp) -> [UInt8] {
        var object = JSONObject()
        object["at"] = .number(wall.seconds)
        object["query"] = .string(search.query)
        if search.hasLimit { object["limit"] = .integer(Int64(clamping: search.limit)) }
        let delivery: Delivery =
            switch search.delivery {
            case .found: .found
            case .final: .final
            default: .settled
            }
        object["delivery"] = .string(delivery.rawValue)
        let lists = [
            ("filters", search.filters), ("attributes", search.attributes),
            ("indexes", search.indexes),
            ("sort", search.sort.map(text)),
        ]
        for (name, texts) in lists where !texts.isEmpty {
            object[name] = .array(texts.map { .string($0) })
        }
        if search.countOnly { object["countOnly"] = .bool(true) }
        if let budget { object["deadlineSeconds"] = .number(budget.inSeconds) }
        return Array((JSONValue.object(object).serialized() + "\n").utf8)
    }

    private static func text(_ key: WireSortKey) -> String {
        (key.descending ? "-" : "+") + (key.attribute.isEmpty ? "relevance" : key.attribute)
    }
}
