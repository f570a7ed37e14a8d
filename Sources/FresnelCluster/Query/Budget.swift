import FresnelModel

/// The time a request still has, handed from hop to hop as a duration.
///
/// Remaining time instead of a point in time needs no agreement between clocks; each hop keeps a
/// margin so that its own answer still arrives.
package enum Budget {
    /// What a hop hands on: the rest less a margin of 5 %, at least 5 ms; nil when nothing is left.
    package static func handedOn(of remaining: Duration) -> Duration? {
        let margin = max(.milliseconds(5), remaining / 20)
        let rest = remaining - margin
        return rest > .zero ? rest : nil
    }
}
