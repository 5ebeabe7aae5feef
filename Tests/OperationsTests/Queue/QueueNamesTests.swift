import Operations
import Storage
import Testing

@Suite("The queues that people see")
struct QueueNamesTests {
    @Test("each kind of job that is worked on stands in one of them: no dead letter is out of sight")
    func kinds() async throws {
        try await TestOffice.run { office in
            let shown = Set(QueueName.allCases.compactMap(\.kind))
            #expect(Set(office.backOffice.jobHandlers.keys) == shown)
        }
    }
}
