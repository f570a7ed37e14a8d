/// One piece of a glob pattern.
package enum GlobPiece: Hashable, Sendable {
    /// These characters; may be empty, may follow another literal.
    case literal(String)
    /// `*`: any run, also an empty one.
    case anyRun
    /// `?`: exactly one original character.
    case anyCharacter
}
