import FresnelKernels
import Testing

@Suite("Galloping")
struct GallopingTests {
    @Test("Finds the end of what holds, wherever it is, and looks at nothing beyond the list")
    func end() {
        for count in 0...40 {
            for start in 0...count {
                for end in start...count {
                    var looks = 0
                    let found = Galloping.end(from: start, count: count) { index in
                        looks += 1
                        #expect(index >= start && index < count)
                        return index < end
                    }
                    #expect(found == end, "from \(start) in \(count)")
                    // Twice the binary logarithm of the distance, and two.
                    let steps = Int.bitWidth - (end - start + 1).leadingZeroBitCount
                    #expect(looks <= 2 * steps + 2)
                }
            }
        }
    }
}
