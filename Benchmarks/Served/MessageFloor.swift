import BenchmarkWorkload
import Foundation

/// What bare messages of the same fan-out can do on this machine at this moment.
struct MessageFloor: CustomStringConvertible {
    /// Questions answered a second.
    let rate: Double
    /// Microseconds.
    let median: Double
    let p99: Double

    /// Measures it for a second.
    init(_ program: String, workers: Int, clients: Int) throws {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: program)
        process.arguments = ["\(workers)", "\(clients)", "1"]
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

    /// Questions a second, of some measurements together; nil of none.
    static func rate(of floors: ArraySlice<MessageFloor>) -> Double? {
        floors.isEmpty ? nil : floors.map(\.rate).reduce(0, +) / Double(floors.count)
    }

    /// The slowest and the fastest moment.
    static func range(of floors: [MessageFloor]) -> String {
        let rates = floors.map(\.rate)
        return "\(Int(rates.min() ?? 0)) to \(Int(rates.max() ?? 0)) q/s"
    }

    var description: String { "\(Int(rate)) q/s, p50 \(median) µs, p99 \(p99) µs" }
}
