/// The value of a comparison, its modifiers and where it stands.
struct RightSide {
    let operand: WrittenOperand
    let modifiers: WrittenModifiers
    let offset: Int
}
