import ArgumentParser
import Foundation
import FresnelLoad
import FresnelModel

/// `fresnel load record`.
struct LoadRecord: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "record",
        abstract: "Capture the queries that a live broker is asked, to replay them.",
        discussion: """
            Reads what a broker with --query-log FILE writes from now on, for --duration or until \
            Ctrl-C, on the broker's machine. The stream has times with their gaps, query texts and \
            options; no documents, and not who asked.

              fresnel broker --query-log /var/lib/fresnel/queries.ndjson …
              fresnel load record /var/lib/fresnel/queries.ndjson --duration 5m --output five.ndjson
              fresnel load --replay five.ndjson
            """)

    @Argument(help: "The query log of a broker.", completion: .file())
    var log: String

    @Option(help: "Where the stream goes.", completion: .file())
    var output: String

    @Option(help: "How long.")
    var duration = "60s"

    func run() async throws {
        let seconds = try DurationText.parse(duration, flag: "--duration").inSeconds
        guard (0.1...86_400).contains(seconds) else {
            throw CommandError.usage("--duration must lie in 100ms...24h, not \(duration)")
        }
        try LoadFiles.checkWritable(output, "--output")
        // A log that was begun anew has its former part beside it.
        try LoadFiles.checkApart(
            output, "--output",
            from: [("the log that is recorded", log), ("a part of that log", log + ".1")])
        let stretch = try QueryLogStretch(path: log)
        await QueryLogStretch.wait(.seconds(seconds))
        let lines = try stretch.lines()
        guard !lines.isEmpty else {
            throw CommandError.failed(
                "no query came in \(duration), so \(output) is as it was; does the broker that "
                    + "writes \(log) run, and is it asked?")
        }
        let stream: RecordedStream
        do throws(WorkloadError) {
            stream = try RecordedStream(parsing: lines.map { $0[...] })
        } catch {
            throw CommandError.failed("\(log): \(error)")
        }
        try LoadFiles.write(lines.joined(separator: "\n") + "\n", to: output)
        Streams.complain("\(stream.requests.count) queries are in \(output)")
    }
}
