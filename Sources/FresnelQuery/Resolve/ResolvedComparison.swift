/// One predicate over one attribute, without any reference to a clock.
package struct ResolvedComparison: Hashable, Sendable {
    package var attribute: AttributeReference
    package var test: ValueTest

    package init(attribute: AttributeReference, test: ValueTest) {
        self.attribute = attribute
        self.test = test
    }
}
