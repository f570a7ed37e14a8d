import FresnelJSON
import FresnelModel
import FresnelSystem
import Logging

/// Log lines for programs: one JSON object a line on the standard error.
///
/// `{"time":…,"level":…,"label":…,"message":…,"metadata":{…}}`, the last only where there is some.
struct JSONLogHandler: LogHandler {
    let label: String
    var logLevel = Logger.Level.info
    var metadata: Logger.Metadata = [:]
    var metadataProvider: Logger.MetadataProvider?

    init(label: String) { self.label = label }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let milliseconds = (SystemTime().unixSeconds() * 1000).rounded()
        let now = Timestamp(wallClock: milliseconds / 1000)
        Streams.complain(line(event, at: now))
    }

    /// The line of one event.
    func line(_ event: LogEvent, at time: Timestamp) -> JSONValue {
        var object = JSONObject()
        object["time"] = .string("\(time)")
        object["level"] = .string(event.level.rawValue)
        object["label"] = .string(label)
        object["message"] = .string("\(event.message)")
        let all = metadata.merging(metadataProvider?.get() ?? [:]) { _, new in new }
            .merging(event.metadata ?? [:]) { _, new in new }
        if !all.isEmpty { object["metadata"] = Self.json(all) }
        return .object(object)
    }

    private static func json(_ metadata: Logger.Metadata) -> JSONValue {
        var object = JSONObject()
        for (key, value) in metadata.sorted(by: { $0.key < $1.key }) { object[key] = json(value) }
        return .object(object)
    }

    private static func json(_ value: Logger.Metadata.Value) -> JSONValue {
        switch value {
        case .string(let text): .string(text)
        case .stringConvertible(let other): .string("\(other)")
        case .array(let values): .array(values.map(json))
        case .dictionary(let members): json(members)
        }
    }
}
