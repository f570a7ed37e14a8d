import Foundation
import Testing

extension Clusters {
    /// The page of a load in a real browser: Debian's `chromium`, without a window or a network.
    @Suite(
        "The page of a load", .tags(.slow),
        .enabled(if: Browser.isThere, "no chromium here: `apt install chromium` runs this test"))
    struct LoadPageTests {
        @Test("Every chart of a page is drawn, no script complains, and nothing is asked for")
        func draws() async throws {
            try await TemporaryDirectory.with { directory in
                let source = try directory.write(Samples.lines(0..<200), to: "d.ndjson")
                let page = "\(directory.path)/page.html"
                // A name that would make a browser read on behind the end of the data.
                let mix = try directory.write(
                    #"{"name": "<!--<script>", "classes": [{"query": "title == \"{word}\"cdw"}]}"#,
                    to: "mix.json")
                let run = try await Program.run([
                    "load", "--workers", "1,2", "--source", source, "--attributes", "title",
                    "--rate", "60", "--duration", "3s", "--warmup", "0s", "--inject",
                    "at 1s stop worker-1; at 2s continue worker-1", "--report", page, mix,
                ])
                // A busy machine makes a generator late, which the page says.
                #expect([0, 1].contains(run.code), "\(run.errors)")
                let charts = try await Browser.charts(of: page, in: directory)
                let drawn: Set = ["throughput", "sizes", "spectrum", "timeline", "completeness"]
                #expect(Set(charts.keys) == drawn)
                for (name, colours) in charts {
                    #expect(colours > 10, "\(name) is empty")
                }
            }
        }

        @Test("A script that fails, and a canvas that stays empty, are noticed by this test")
        func notices() async throws {
            try await TemporaryDirectory.with { directory in
                let empty = try directory.write(
                    "<html><head></head><body><canvas id=\"a\"></canvas></body></html>",
                    to: "empty.html")
                #expect(try await Browser.charts(of: empty, in: directory) == ["a": 1])
                let wrong = try directory.write(
                    "<html><head></head><body><script>nobody()</script></body></html>",
                    to: "wrong.html")
                await #expect(throws: Browser.Complaint.self) {
                    try await Browser.charts(of: wrong, in: directory)
                }
            }
        }
    }
}

/// A headless Chromium that reaches nothing.
private enum Browser {
    private static let path = "/usr/bin/chromium"

    static var isThere: Bool { FileManager.default.isExecutableFile(atPath: path) }

    struct Complaint: Error {
        let text: String
    }

    /// Different colours of every canvas of a page, by its name.
    static func charts(
        of page: String, in directory: TemporaryDirectory
    ) async throws -> [String: Int] {
        let text = try String(contentsOfFile: page, encoding: .utf8)
        // Collects what goes wrong before anything else runs, and looks at the charts at the end.
        let first = """
            <script>window.seenErrors = [];
            addEventListener("error", e => seenErrors.push(e.message));</script>
            """
        let last = """
            <script>for (const canvas of document.querySelectorAll("canvas")) {
              const {width, height} = canvas, colours = new Set(new Uint32Array(canvas.getContext(
                "2d").getImageData(0, 0, width, height).data.buffer));
              document.title += ` [${canvas.id}=${colours.size}]`; }
            document.title += " [wrong=" + seenErrors.join(", ") + "]";</script>
            """
        let end = text.range(of: "</body>", options: .backwards)
        guard let end, let head = text.range(of: "<head>") else {
            throw Complaint(text: "no page")
        }
        let watched =
            text[..<head.upperBound] + first + text[head.upperBound..<end.lowerBound] + last
            + text[end.lowerBound...]
        let copy = try directory.write(String(watched), to: "watched.html")
        // A page has lines longer than a reader of lines takes, so they go to a file.
        let dump = "\(directory.path)/dump.html"
        let command = """
            exec \(path) --headless --no-sandbox --disable-gpu --window-size=1200,2400 \
            --user-data-dir='\(directory.path)/browser' --proxy-server=127.0.0.1:9 \
            --host-resolver-rules='MAP * ~NOTFOUND' --dump-dom 'file://\(copy)' > '\(dump)' \
            2> /dev/null
            """
        _ = try await LiveProcess.with(program: "sh", ["-c", command]) { process in
            await process.output.waitForEnd()
        }
        let lines = try String(contentsOfFile: dump, encoding: .utf8).split(separator: "\n")
        let title = lines.first { $0.contains("<title>") && $0.contains("[wrong=") }
        guard let title else { throw Complaint(text: "the browser shows nothing") }
        var charts: [String: Int] = [:]
        for mark in title.split(separator: "[").dropFirst() {
            let sides = mark.split(separator: "]")[0].split(
                separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if sides[0] == "wrong" {
                guard sides[1].isEmpty else { throw Complaint(text: String(sides[1])) }
            } else {
                charts[String(sides[0])] = Int(sides[1])
            }
        }
        return charts
    }
}
