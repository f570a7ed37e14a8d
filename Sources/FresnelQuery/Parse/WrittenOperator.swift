/// The operator of a comparison as written.
struct WrittenOperator {
    let order: OrderOperator
    let isNegated: Bool
    let offset: Int
}
