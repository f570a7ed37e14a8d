import FresnelModel

/// What the text of a query says of the time, seen without reading it whole.
package enum QueryTimes {
    /// Whether a text means the same whenever and wherever it is asked: its only `$` forms, if any,
    /// are `$time.iso` of instants with their zone.
    ///
    /// A bare date is a day of the asker's zone, and so no instant.
    package static func areFixed(in text: String) -> Bool {
        var rest = Substring(text).utf8
        while let sign = rest.firstIndex(of: UInt8(ascii: "$")) {
            rest = rest[sign...]
            guard rest.starts(with: form) else { return false }
            rest = rest.dropFirst(form.count)
            guard let end = rest.firstIndex(of: UInt8(ascii: ")")),
                ISO8601(unquoted(Substring(rest[..<end])))?.zoneOffset != nil
            else { return false }
            rest = rest[end...]
        }
        return true
    }

    private static let form = Array("$time.iso(".utf8)

    private static func unquoted(_ date: Substring) -> Substring {
        var date = date
        while let first = date.first, around.contains(first) { date.removeFirst() }
        while let last = date.last, around.contains(last) { date.removeLast() }
        return date
    }

    private static let around: [Character] = [" ", "\"", "'"]
}
