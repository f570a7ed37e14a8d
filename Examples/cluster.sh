# Read by demo and bench: a broker and WORKERS=3 workers that end with the script, on a free port.

PATH="$PWD/.build/release:$PATH"
folder=$(mktemp -d "${TMPDIR:-/tmp}/fresnel.XXXXXX")
cluster=

finish() {
    if [[ -n $cluster ]]; then
        kill "$cluster" 2>/dev/null || true
        wait "$cluster" 2>/dev/null || true
    fi
    rm -rf "$folder"
}
trap finish EXIT
trap 'exit 130' INT TERM

mkfifo "$folder/ready"
workers=${WORKERS:-3}
fresnel up --workers "$workers" --shards 6 --data "$folder/cluster" --listen tcp://127.0.0.1:0 \
    >"$folder/ready" &
cluster=$!
read -r word FRESNEL_BROKER <"$folder/ready" || true
if [[ ${word:-} != ready ]]; then
    echo "the cluster did not start; its messages are above" >&2
    exit 1
fi
export FRESNEL_BROKER

# The list of packages that this machine could install, or nothing.
packages="$folder/packages"
apt-cache dumpavail >"$packages" 2>/dev/null || true
