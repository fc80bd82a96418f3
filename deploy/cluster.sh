#!/bin/sh
# A Dask cluster for `candor mine --dask` on this machine, with a certificate authority of its own:
#
#     PYTHON=.venv/bin/python sh deploy/cluster.sh FOLDER [WORKERS [MEMORY [PORT]]]
#
# Run it as a user who reads the Parquet files and nothing else. The folder holds certificates and configuration: who has
# it may use the cluster (DASK_CONFIG=FOLDER/dask.yaml). Nothing of the environment reaches scheduler and workers.
set -eu
umask 077
mkdir -p "$1/work"
folder=$(cd "$1" && pwd) python=${PYTHON:-python3} workers=${2:-2} memory=${3:-4GiB} port=${4:-8786}

if ! [ -e "$folder/member.pem" ]; then
    new="-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes"
    cd "$folder"
    openssl req -x509 $new -days 365 -subj "/CN=this cluster" -keyout ca.key -out ca.pem 2>/dev/null
    openssl req $new -subj "/CN=member" -keyout member.key -out member.csr 2>/dev/null
    openssl x509 -req -days 365 -in member.csr -CA ca.pem -CAkey ca.key -CAcreateserial -out member.pem 2>/dev/null
    rm ca.key member.csr # nobody else becomes a member
    cd - >/dev/null
fi
member="{cert: $folder/member.pem, key: $folder/member.key}"
cat >"$folder/dask.yaml" <<END
distributed:
  comm:
    require-encryption: true
    tls: {ca-file: $folder/ca.pem, scheduler: $member, worker: $member, client: $member}
  scheduler:
    worker-ttl: 20s
    http: {routes: []}
  worker:
    http: {routes: []}
    memory: {target: false, spill: false, pause: false, terminate: 0.95}
END

member_of() {
    exec env -i PATH="$PATH" HOME="$folder" DASK_CONFIG="$folder/dask.yaml" OMP_NUM_THREADS=1 MALLOC_ARENA_MAX=1 \
        "$python" -m dask "$@"
}
member_of scheduler --protocol tls --host 127.0.0.1 --dashboard-address 127.0.0.1:0 \
    --port "$port" --no-dashboard &
scheduler=$!
member_of worker "tls://127.0.0.1:$port" --host 127.0.0.1 --nworkers "$workers" --nthreads 1 --no-dashboard --death-timeout 60 \
    --memory-limit "$memory" --local-directory "$folder/work" &
trap 'kill $scheduler $! 2>/dev/null' EXIT
trap 'exit 0' INT TERM
wait $scheduler
