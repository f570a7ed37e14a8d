package import FresnelModel

/// The stamp of a query: read once, by the broker if the client did not, never by a worker.
package struct QueryContext: Hashable, Sendable {
    /// The instant of `$time.now`.
    package var now: Timestamp
    /// IANA zone name; `UTC` unless the request says otherwise.
    package var timeZone: String
    /// First day of the week, ISO numbering: 1 Monday … 7 Sunday.
    package var firstWeekday: Int
    /// BCP 47 tag that protects the letters of that alphabet from folding; nil folds neutrally.
    package var language: String?

    package init(
        now: Timestamp, timeZone: String = "UTC", firstWeekday: Int = 1, language: String? = nil
    ) {
        self.now = now
        self.timeZone = timeZone
        self.firstWeekday = firstWeekday
        self.language = language
    }

    /// Whether the zone is one that can be computed with.
    package var hasKnownZone: Bool { ZoneOffsets(identifier: timeZone) != nil }
}
