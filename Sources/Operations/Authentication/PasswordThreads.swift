/// The threads that hash passwords: two of their own, so that signing in never delays other requests.
///
/// One of them is for strangers: however many of them guess, known people find a place and wait for none of them.
package struct PasswordThreads: Sendable {
    /// One pair for the whole process, because the processor is one.
    package static let shared = PasswordThreads(placesEach: 32)

    /// For browsers that the account knows, people who are signed in, and passwords that are being set.
    let known: PasswordQueue
    let strangers: PasswordQueue

    package init(placesEach places: Int) {
        known = PasswordQueue(places: places)
        strangers = PasswordQueue(places: places)
    }
}
