import FresnelModel
import Testing

struct TimestampTests {
    @Test(
        "ISO 8601 reads as the instant it means",
        arguments: [
            ("2001-01-01", 0), ("2001-01-01T00:00:00Z", 0), ("2026-11-20T00:00Z", 816_825_600),
            ("2001-01-01T01:00:00+01:00", 0), ("2000-12-31T19:00-0500", 0),
            ("2001-01-01T05:30:00+05:30", 0), ("2001-01-01 02+02", nil), ("2001-01-01T02:00+02", 0),
            ("2001-01-01t00:00:00.25z", 0.25), ("2001-01-01T00:00:00.123456789123Z", 0.123456789),
            ("1970-01-01", -978_307_200), ("2016-12-31T23:59:60Z", 504_921_600),
            ("2000-02-29", -26_524_800), ("2100-02-29", nil), ("2026-13-01", nil),
            ("2026-00-01", nil), ("2026-04-31", nil), ("0000-01-01", nil), ("2026-1-01", nil),
            ("", nil), ("2026", nil), ("2026-11-18T", nil), ("2026-11-18T09", nil),
            ("2026-11-18T24:00", nil), ("2026-11-18T09:60", nil), ("2026-11-18T09:00:61", nil),
            ("2026-11-18T09:00:00.", nil), ("2026-11-18T09:00:00Zx", nil), (" 2026-11-18", nil),
            ("2026-11-18T09:00:00+1", nil), ("2026-11-18T09:00:00+01:", nil),
        ] as [(String, Double?)])
    func reading(text: String, seconds: Double?) {
        #expect(Timestamp(iso8601: text)?.seconds == seconds)
    }

    @Test("A text without a zone is read in the zone that is assumed")
    func assumedZone() {
        #expect(Timestamp(iso8601: "2001-01-01T01:00", assumingOffset: 3600)?.seconds == 0)
        #expect(Timestamp(iso8601: "2001-01-01T01:00Z", assumingOffset: 3600)?.seconds == 3600)
    }

    @Test(
        "An instant prints in UTC with the digits it needs",
        arguments: [
            (0, "2001-01-01T00:00:00Z"), (816_825_600, "2026-11-20T00:00:00Z"),
            (0.5, "2001-01-01T00:00:00.5Z"), (-0.25, "2000-12-31T23:59:59.75Z"),
            (0.9999999999, "2001-01-01T00:00:01Z"), (-63_113_904_000, "0001-01-01T00:00:00Z"),
            (-63_113_904_001, nil), (252_423_993_599, "9999-12-31T23:59:59Z"),
            (252_423_993_600, nil), (1e300, nil),
        ] as [(Double, String?)])
    func printing(seconds: Double, text: String?) throws {
        #expect(try #require(Timestamp(seconds: seconds)).iso8601 == text)
    }

    @Test("What is printed reads back as the same number", arguments: [1, 2, 3] as [UInt64])
    func roundTrip(seed: UInt64) throws {
        var random = SplitMix(state: seed)
        for _ in 0..<2000 {
            // Microseconds over all printable years.
            let whole = Double.random(in: -6.3e10..<2.5e11, using: &random).rounded()
            let micro = Double(Int.random(in: 0..<1_000_000, using: &random)) / 1_000_000
            let timestamp = try #require(Timestamp(seconds: whole + micro))
            let text = try #require(timestamp.iso8601)
            #expect(Timestamp(iso8601: text) == timestamp, "\(text), seed \(seed)")
        }
    }

    @Test("Days count on without gap through a thousand years, weekdays and leap days included")
    func calendar() throws {
        var (year, month, day) = (1600, 1, 1)
        var number = try #require(CivilDate(year: year, month: month, day: day)).daysSince2001
        var weekday = 6  // 1 January 1600 was a Saturday.
        while year < 2600 {
            let date = CivilDate(daysSince2001: number)
            guard date == CivilDate(year: year, month: month, day: day), date.weekday == weekday,
                date.daysSince2001 == number
            else {
                Issue.record("day \(number) is \(date), not \(year)-\(month)-\(day)")
                return
            }
            number += 1
            weekday = weekday % 7 + 1
            day += 1
            if day > CivilDate.days(inMonth: month, year: year) { (month, day) = (month + 1, 1) }
            if month > 12 { (year, month) = (year + 1, 1) }
        }
    }

    @Test("Random bytes are a date or refused, never a crash", arguments: [7, 8] as [UInt64])
    func noise(seed: UInt64) {
        var random = SplitMix(state: seed)
        let letters = Array("0123456789-:.+TZ é")
        for _ in 0..<3000 {
            let length = Int.random(in: 0..<28, using: &random)
            let text = String(
                (0..<length).map { _ in letters[Int.random(in: 0..<letters.count, using: &random)] }
            )
            if let timestamp = Timestamp(iso8601: text) {
                #expect(timestamp.seconds.isFinite, "\(text), seed \(seed)")
            }
        }
    }
}
