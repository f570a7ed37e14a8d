import FresnelKernels
import Testing

@Suite("A search by halves")
struct BisectionTests {
    @Test("ends where what holds does, wherever that is, and looks at few places")
    func everywhere() {
        for count in 0..<40 {
            for start in 0...count {
                for border in start...count {
                    var looks = 0
                    let end = Bisection.end(from: start, to: count) { place in
                        #expect((start..<count).contains(place))
                        looks += 1
                        return place < border
                    }
                    #expect(end == border)
                    #expect(looks <= 6)
                }
            }
        }
    }

    @Test("looks at nothing where bounds are the wrong way round")
    func damaged() {
        let end = Bisection.end(from: 7, to: 3) { _ in
            Issue.record("looked at a place")
            return true
        }
        #expect(end == 7)
        #expect(Galloping.end(from: 7, count: 3) { _ in true } == 7)
    }

    @Test("does not overflow near the greatest number")
    func large() {
        let border = Int.max - 5
        #expect(Bisection.end(from: Int.max - 100, to: Int.max) { $0 < border } == border)
    }
}
