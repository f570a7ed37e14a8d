/// An open file.
///
/// Calls from several threads are carried out one after the other.
package protocol StorageFile: AnyObject, Sendable {
    /// Where it was opened.
    var path: String { get }

    /// Adds bytes at the end.
    ///
    /// When it throws, some of them may have been written; `truncate` to the former size removes
    /// them.
    func append(_ bytes: [UInt8]) throws(SystemError)

    /// Puts bytes over earlier ones, beginning at `offset`, which is not beyond the end.
    func write(_ bytes: [UInt8], at offset: Int) throws(SystemError)

    /// Exactly `count` bytes from `offset`.
    ///
    /// - Throws: `endOfFile` when there are fewer.
    func read(at offset: Int, count: Int) throws(SystemError) -> [UInt8]

    /// The size in bytes.
    func size() throws(SystemError) -> Int

    /// Cuts the file to a size, which is not above the present one.
    func truncate(to size: Int) throws(SystemError)

    /// Makes everything written so far durable.
    ///
    /// When it fails, the kernel may have dropped the written pages and would report the next sync
    /// as a success. So every later sync of this open file throws `poisoned`. Only writing the
    /// same bytes again through a newly opened file, and syncing that, makes them durable.
    func sync() throws(SystemError)

    /// Closes it; later calls throw `closed`. Also happens with the last reference.
    func close()
}
