#!/bin/sh
# Prints a fresh password of Redis, the URL of that Redis, and a fresh key that coordinators and agents sign with:
#
#   (umask 077 && sh deploy/secrets.sh > deploy/.env)
#   sh deploy/secrets.sh | kubectl create secret generic autocannon --from-env-file=/dev/stdin
set -eu

fresh () { head -c 32 /dev/urandom | od -An -vtx1 | tr -d ' \n'; }

password=$(fresh)
echo "REDIS_PASSWORD=$password"
echo "AUTOCANNON_REDIS=redis://:$password@autocannon-redis:6379"
echo "AUTOCANNON_KEY=$(fresh)"
