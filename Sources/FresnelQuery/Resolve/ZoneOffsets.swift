// The only file of this room that needs Foundation: it knows the zones of the world.
import Foundation

/// How far a time zone is from Greenwich at any instant.
struct ZoneOffsets {
    private let zone: TimeZone

    /// The zone with an IANA name, or nil when there is none.
    init?(identifier: String) {
        guard let zone = TimeZone(identifier: identifier) else { return nil }
        self.zone = zone
    }

    /// Seconds east of Greenwich at an instant in seconds since 2001.
    func offset(at seconds: Double) -> Int {
        zone.secondsFromGMT(for: Date(timeIntervalSinceReferenceDate: seconds))
    }
}
