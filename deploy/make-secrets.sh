#!/bin/sh
# Creates the files in deploy/secrets that compose.yaml mounts. Existing files stay as they are.
set -eu
cd "$(dirname "$0")"
umask 077
mkdir -p secrets
cd secrets
random() { od -An -N32 -tx1 /dev/urandom | tr -d ' \n'; }
# Containers read these files as another user: the folder keeps other users of this machine out.
put() { [ -e "$1" ] || { printf '%s\n' "$2" >"$1"; chmod 644 "$1"; }; }
put postgres_password "$(random)"
put database_password "$(random)"
put tenant_password "$(random)"
put secret_key "$(random)"
put database_url "postgres://frontdesk:$(cat database_password)@postgres:5432/frontdesk"
put tenant_database_url "postgres://frontdesk_tenant_login:$(cat tenant_password)@postgres:5432/frontdesk"
