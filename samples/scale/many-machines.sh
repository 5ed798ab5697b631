#!/bin/sh

# Shows a run that three agents share: Redis, a server and the agents are started on this machine, in place of several, and ended
# with it, however it ends. Run it with
#
#   sh samples/scale/many-machines.sh

cd "$(dirname "$0")/../.." || exit

say () { printf '%s\n' "$*" >&2; }

if ! command -v redis-server >/dev/null; then
  say 'many-machines.sh: there is no redis-server: install it (Debian: apt-get install redis-server; macOS: brew install redis)'
  exit 1
fi
if ! node -e "require.resolve('bullmq'); require.resolve('ioredis')" 2>/dev/null; then
  say 'many-machines.sh: agents need the packages bullmq and ioredis: run npm ci in the clone, or npm i bullmq ioredis where autocannon is installed'
  exit 1
fi

folder=$(mktemp -d)
redis='' server='' agents='' run=''
# Redis goes last: agents that have lost it would wait for it.
clean_up () {
  code=$?
  trap - EXIT
  trap '' HUP INT TERM
  for processes in "$run" "$server $agents" "$redis"; do
    # Without a number `wait` waits for all.
    [ -n "${processes# }" ] || continue
    # One word for each process.
    # shellcheck disable=SC2086
    kill $processes 2>/dev/null
    # shellcheck disable=SC2086
    wait $processes 2>/dev/null
  done
  rm -rf "$folder"
  exit "$code"
}
trap clean_up EXIT
trap 'exit 129' HUP
# Ctrl-C reaches the run as well, which ends it with a report.
trap '[ -z "$run" ] || wait "$run"; run=; exit 130' INT
trap 'exit 143' TERM

# Ctrl-C at a terminal is for the run alone: what it needs for its last report stays until that is there.
apart=$(command -v setsid)

random () { head -c 16 /dev/urandom | od -An -vtx1 | tr -d ' \n'; }
free_port () { node -e "const server = require('node:net').createServer().listen(0, '127.0.0.1', () => { console.log(server.address().port); server.close() })"; }

port=$(free_port)
password=$(random)
# The password comes by standard input, and as a variable: other users of a machine see the arguments of its processes.
$apart redis-server - >"$folder/redis.log" 2>&1 <<END &
bind 127.0.0.1
port $port
dir $folder
requirepass $password
save ""
END
redis=$!
export AUTOCANNON_REDIS="redis://:$password@127.0.0.1:$port"
AUTOCANNON_KEY=$(random)
export AUTOCANNON_KEY

$apart node -e "require('node:http').createServer((request, response) => response.end('hello world')).listen(0, '127.0.0.1', function () { console.log(this.address().port) })" >"$folder/server.port" &
server=$!

tries=0
until [ -s "$folder/server.port" ] && REDISCLI_AUTH=$password redis-cli -p "$port" ping >/dev/null 2>&1; do
  tries=$((tries + 1))
  if [ "$tries" -gt 100 ]; then
    say 'many-machines.sh: Redis or the server does not start:'
    cat "$folder/redis.log" >&2
    exit 1
  fi
  sleep 0.1
done

for name in one two three; do
  $apart node bin/autocannon.js agent --name "$name" --workers 1 2>"$folder/$name.log" &
  agents="$agents $!"
done

node bin/autocannon.js --agents 3 -c 30 -a 3000 "http://127.0.0.1:$(cat "$folder/server.port")" &
run=$!
wait "$run"
code=$?
# The number may be that of another process from now on.
run=''
exit "$code"
