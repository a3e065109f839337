#!/bin/sh
# Runs once, when the PostgreSQL container creates its data: the role and the database of the service.
set -eu
psql --username postgres --set ON_ERROR_STOP=1 --set password="$(cat /run/secrets/database_password)" <<'SQL'
create role frontdesk login createrole password :'password';
create database frontdesk owner frontdesk encoding 'UTF8' template template0;
SQL
