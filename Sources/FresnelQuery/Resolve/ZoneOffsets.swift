// The only file of this room that needs Foundation: it knows the zones of the world.
import Foundation

/// How far a time zone is from Greenwich at any instant.
struct ZoneOffsets {
    /// Nil for UTC, which most queries name: there is nothing to look up.
    private let zone: TimeZone?

    /// The zone with an IANA name, or nil when there is none.
    init?(identifier: String) {
        guard identifier != "UTC" else {
            zone = nil
            return
        }
        guard let zone = TimeZone(identifier: identifier) else { return nil }
        self.zone = zone
    }

    /// Seconds east of Greenwich at an instant in seconds since 2001.
    func offset(at seconds: Double) -> Int {
        guard let zone else { return 0 }
        return zone.secondsFromGMT(for: Date(timeIntervalSinceReferenceDate: seconds))
    }
}
