#include <libpq-fe.h>

/* libpq 17 can queue a Sync without sending it at once; older versions send at every Sync. */
static inline int clibpq_queue_sync(PGconn *connection) {
#ifdef LIBPQ_HAS_SEND_PIPELINE_SYNC
    return PQsendPipelineSync(connection);
#else
    return PQpipelineSync(connection);
#endif
}

#ifdef __linux__
#include <spawn.h>

/* glibc has it since 2.34; Swift's view of <spawn.h> does not show it. */
extern int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *, int);

/* The program that is started for the cluster gets no file from `first` on. */
static inline int clibpq_spawn_closes_from(posix_spawn_file_actions_t *actions, int first) {
    return posix_spawn_file_actions_addclosefrom_np(actions, first);
}
#endif
