"""The queues in the broker to which every worker listens."""

WORK = "celery"  # runs to lead, and whatever else waits for a worker
JOINING = "joining"  # runs that somebody leads, for workers that have nothing else to do
EVERYBODY = "everybody"  # what stands here reaches each worker that runs
