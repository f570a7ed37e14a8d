import Logging

/// Log lines for people on the standard error, each on one line whatever names and texts are in it.
///
/// What peers call themselves, paths and the texts of documents stand in logs: a line break or an
/// escape sequence there would forge a line, or command the terminal that shows the log.
struct TextLogHandler: LogHandler {
    private var base: StreamLogHandler

    init(label: String) { base = StreamLogHandler.standardError(label: label) }

    var logLevel: Logger.Level {
        get { base.logLevel }
        set { base.logLevel = newValue }
    }

    var metadata: Logger.Metadata {
        get { base.metadata }
        set { base.metadata = Self.shown(newValue) }
    }

    var metadataProvider: Logger.MetadataProvider? {
        get { base.metadataProvider }
        set { base.metadataProvider = newValue }
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { base[metadataKey: key] }
        set { base[metadataKey: key] = newValue.map(Self.shown) }
    }

    func log(event: LogEvent) { base.log(event: Self.shown(event)) }

    /// An event whose texts are on one line each, and command no terminal.
    static func shown(_ event: LogEvent) -> LogEvent {
        var event = event
        event.message = "\(ShownText.oneLine("\(event.message)"))"
        event.metadata = event.metadata.map(shown)
        return event
    }

    private static func shown(_ metadata: Logger.Metadata) -> Logger.Metadata {
        metadata.mapValues(shown)
    }

    /// Every value as its text, which has no line break.
    private static func shown(_ value: Logger.Metadata.Value) -> Logger.Metadata.Value {
        .string(ShownText.oneLine("\(value)"))
    }
}
