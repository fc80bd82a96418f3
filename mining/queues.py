"""What goes through the broker: the queues to which every worker listens, and the tasks that are sent by name."""

WORK = "celery"  # runs to lead, and whatever else waits for a worker
JOINING = "joining"  # runs that somebody leads, for workers that have nothing else to do
EVERYBODY = "everybody"  # what stands here reaches each worker that runs

TAKE, JOIN, TIDY = "mining.tasks.take", "mining.tasks.join", "mining.tasks.tidy"
