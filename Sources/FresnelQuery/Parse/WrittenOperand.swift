/// A value as written.
enum WrittenOperand {
    case number(Double)
    case time(TimeExpression)
    case text(WrittenText)
}
