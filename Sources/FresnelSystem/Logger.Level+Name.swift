package import Logging

extension Logger.Level {
    /// The level of this name; what has no such name is `info`, so that no line is lost.
    ///
    /// Rooms without a logger name the loudness of their lines; the rooms around them log these.
    package init(named name: String) {
        self = Logger.Level(rawValue: name) ?? .info
    }
}
