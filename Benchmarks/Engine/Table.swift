/// The table of classes, ours beside the best peer.
enum Table {
    static let head = """
        class  p50 µs   p99 µs  mean µs  allocs |  peer p50      p99     mean | ratio p50 p99 \
        mean
        """

    static func row(_ measured: Measurement, _ peer: PeerNumbers.Best?) -> String {
        var row = pad(measured.name, 5, isLeft: true)
        for number in [measured.median, measured.p99, measured.mean] {
            row += pad(short(number), 9)
        }
        row += pad(String(Int(measured.allocations.rounded())), 8)
        guard let peer else { return row }
        row += " |" + [peer.median, peer.p99, peer.mean].map { pad(short($0), 9) }.joined()
        let ratios = [
            measured.median / peer.median, measured.p99 / peer.p99, measured.mean / peer.mean,
        ]
        return row + " |" + ratios.map { pad(short($0), 7) }.joined() + "  " + peer.peer
    }

    /// Three digits or so.
    static func short(_ number: Double) -> String {
        if number >= 100 { return String(Int(number.rounded())) }
        let scale = number >= 10 ? 10.0 : 100.0
        let scaled = Int((number * scale).rounded())
        let rest = String(scaled % Int(scale))
        let width = number >= 10 ? 1 : 2
        let zeros = String(repeating: "0", count: max(0, width - rest.count))
        return "\(scaled / Int(scale)).\(zeros)\(rest)"
    }

    private static func pad(_ text: String, _ width: Int, isLeft: Bool = false) -> String {
        let space = String(repeating: " ", count: max(0, width - text.count))
        return isLeft ? text + space : space + text
    }
}
