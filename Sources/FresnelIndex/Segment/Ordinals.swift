// Numbers that mean something only inside one segment. They are plain integers, not wrapped, since
// millions of them stand in arrays that kernels decode, sort and turn into bits.

/// A document of one segment, 0..<`documentCount`, in the order the documents were added.
package typealias DocumentNumber = UInt32

/// A term of one segment: its rank in the order (folded key, original bytes).
package typealias TermID = UInt32

/// An attribute of one segment: its rank among the names that occur, by UTF-8.
package typealias AttributeOrdinal = UInt16

/// A value of one string column: its rank in the order (folded key, original bytes).
package typealias ValueRank = UInt32
