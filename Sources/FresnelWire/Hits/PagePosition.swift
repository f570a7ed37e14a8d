/// Where a page lies in an answer: behind a sort key, or before it.
package struct PagePosition: Hashable, Sendable {
    /// The sort key of the hit beside the page.
    package var key: [UInt8]
    /// Whether the page ends before the key instead of beginning behind it.
    package var isBackwards: Bool

    package init(key: [UInt8], isBackwards: Bool) {
        self.key = key
        self.isBackwards = isBackwards
    }
}

extension WireSubquery {
    /// Where the page lies; nil for an answer from its first hit.
    package var page: PagePosition? {
        get {
            let key = afterKeyBytes
            return key.isEmpty ? nil : PagePosition(key: key, isBackwards: backwards)
        }
        set {
            afterKeyBytes = newValue?.key ?? []
            backwards = newValue?.isBackwards ?? false
        }
    }
}
