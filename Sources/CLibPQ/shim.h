#include <libpq-fe.h>

/* libpq 17 can queue a Sync without sending it at once; older versions send at every Sync. */
static inline int clibpq_queue_sync(PGconn *connection) {
#ifdef LIBPQ_HAS_SEND_PIPELINE_SYNC
    return PQsendPipelineSync(connection);
#else
    return PQpipelineSync(connection);
#endif
}
