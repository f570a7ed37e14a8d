import BenchmarkWorkload
import Foundation

/// What bare messages of the same fan-out can do on this machine at this moment.
struct MessageFloor: CustomStringConvertible {
    /// Questions answered a second.
    let rate: Double
    /// Microseconds.
    let median: Double
    let p99: Double

    /// Measures it for two seconds.
    init(_ program: String, workers: Int, clients: Int) throws {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: program)
        process.arguments = ["\(workers)", "\(clients)", "2"]
        process.standardOutput = output
        try process.run()
        let printed = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        let numbers = String(decoding: printed, as: UTF8.self)
            .split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
        guard numbers.count == 3 else {
            throw BenchmarkError.usage("\(program) does not tell the floor")
        }
        (rate, median, p99) = (numbers[0], numbers[1], numbers[2])
    }

    var description: String { "\(Int(rate)) q/s, p50 \(median) µs, p99 \(p99) µs" }
}
