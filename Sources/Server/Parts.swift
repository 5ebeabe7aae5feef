import Gateways
import HTTP
import Jobs
import Logging
import Operations
import Postgres
import ServiceLifecycle
import Storage

/// The long-lived parts of one process.
struct Parts: Sendable {
    let writing: Pool
    let reading: Pool
    /// The pool that files are read from, by connections that no page waits for.
    let exporting: Pool
    /// Connects screens to the primary while the replica will not do; nil without a replica.
    let fallback: Pool?
    /// The same for files.
    let exportingFallback: Pool?
    let database: Database
    let inbox: NotificationInbox
    let backOffice: BackOffice
    let worker: NotificationWorker
    let jobWorker: JobWorker

    /// The connections, which run as long as anything else does.
    var pools: [(name: String, service: any Service)] {
        [("writing pool", writing), ("reading pool", reading), ("exporting pool", exporting)]
            + (fallback.map { [("fallback pool", $0)] } ?? [])
            + (exportingFallback.map { [("exporting fallback pool", $0)] } ?? [])
    }

    init(
        _ configuration: ServerConfiguration,
        connectionString: String,
        secret: [UInt8]?,
        timelines: TimelineHistory?,
        logger: Logger,
        isCommand: Bool = false
    ) {
        var write = PoolConfiguration(connectionString: connectionString)
        write.name = "writing"
        // Besides those that notifications and jobs may hold, two for requests.
        write.exclusiveConnections = NotificationWorker.usualConcurrency + BackgroundPlaces.transactionsAtOnce + 2
        var read = PoolConfiguration(connectionString: configuration.readDatabaseURL ?? connectionString)
        read.name = "reading"
        read.isReadOnly = true
        if isCommand {
            // A person waits at the terminal, and nobody for them: adding everything up anew may take long.
            for limit in [\PoolConfiguration.answerTimeout, \.transactionTimeout] {
                write[keyPath: limit] = nil
                read[keyPath: limit] = nil
            }
            write.lockTimeout = .seconds(10)
        }
        write.wait(times: configuration.patience)
        read.wait(times: configuration.patience)
        let doorTimeout = Database.usualDoorTimeout * configuration.patience
        var export = read
        export.name = "exporting"
        export.sharedConnections = 1
        export.transactionTimeout = nil
        // The client of a file may pause, and our reading pauses with it.
        export.takingTimeout = nil
        // As many as people take at a time, and those for the regular reports.
        export.exclusiveConnections = ExportLimits().inTotal + BackgroundPlaces.exportsAtOnce
        let readsPrimary = configuration.readDatabaseURL == nil
        let reads = timelines.map(readsPrimary ? ServerAdmission.primary : ServerAdmission.replica)
        writing = Pool(write, logger: logger, admission: timelines.map(ServerAdmission.primary))
        reading = Pool(read, logger: logger, admission: reads)
        exporting = Pool(export, logger: logger, admission: reads)
        if readsPrimary {
            (fallback, exportingFallback) = (nil, nil)
            database = Database(
                writing: writing,
                reading: reading,
                exporting: exporting,
                readsPrimary: true,
                doorTimeout: doorTimeout
            )
        } else {
            (read.connectionString, read.name) = (connectionString, "fallback")
            (export.connectionString, export.name) = (connectionString, "exporting fallback")
            let primary = timelines.map(ServerAdmission.primary)
            let fallback = Pool(read, logger: logger, admission: primary)
            let exportingFallback = Pool(export, logger: logger, admission: primary)
            (self.fallback, self.exportingFallback) = (fallback, exportingFallback)
            database = Database(
                writing: writing,
                replica: Replica(
                    pool: reading,
                    exporting: exporting,
                    fallback: fallback,
                    maximumAge: configuration.replicaMaximumAge
                ),
                exporting: exportingFallback,
                doorTimeout: doorTimeout
            )
        }
        inbox = NotificationInbox(
            database: database,
            patience: NotificationInbox.usualPatience * configuration.patience
        )
        let transport = HTTPStoreTransport(proxy: configuration.storeProxy)
        backOffice = BackOffice(
            database: database,
            inbox: inbox,
            logger: logger,
            gateways: .shipped(over: transport),
            cipher: secret.map(FieldCipher.init(secret:)),
            rateLimits: configuration.rateLimits,
            issuers: IssuerVerifier(transport: transport),
            storeAddresses: StoreAddresses(publicURL: configuration.publicURL)
        )
        worker = NotificationWorker(backOffice: backOffice)
        jobWorker = JobWorker(backOffice: backOffice)
    }
}
