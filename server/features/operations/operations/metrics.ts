import { defineMetric } from '../../../metric.ts'
import { checkReadiness } from './readiness.ts'

const buildInfo = defineMetric('parley_build_info', {
  help: 'Which version of Parley and of Node.js this server runs.',
  type: 'gauge',
  labels: ['version', 'node'],
  read: ({ version }) => [{ labels: { version, node: process.versions.node }, value: 1 }],
})

const sockets = defineMetric('parley_sockets', {
  help: 'Open sockets of this server.',
  type: 'gauge',
  labels: [],
  read: ({ realtime }) => [{ value: realtime.stats().sockets }],
})

const channels = defineMetric('parley_channels', {
  help: 'Topics joined by sockets of this server.',
  type: 'gauge',
  labels: [],
  read: ({ realtime }) => [{ value: realtime.stats().channels }],
})

const droppedSockets = defineMetric('parley_frames_refused_total', {
  help: 'Frames that were invalid or exceeded the rate limit, and sockets that were closed because they read too slowly.',
  type: 'counter',
  labels: ['reason'],
  read({ realtime }) {
    const { malformed, rateLimited, tooSlow } = realtime.stats()
    return Object.entries({ malformed, rate_limited: rateLimited, too_slow: tooSlow }).map(([reason, value]) => ({
      labels: { reason },
      value,
    }))
  },
})

const connections = defineMetric('parley_database_connections', {
  help: 'Database connections of this server that are used or idle, their maximum, and queries that wait for one.',
  type: 'gauge',
  labels: ['pool', 'state'],
  read: ({ pools }) =>
    Object.entries(pools()).flatMap(([pool, { maxConnections, used, idle, waiting }]) =>
      Object.entries({ most: maxConnections, used, idle, waiting }).map(([state, value]) => ({
        labels: { pool, state },
        value,
      })),
    ),
})

const slowStatements = defineMetric('parley_database_slow_statements_total', {
  help: 'Statements of this server that took longer than half a second. The log has their text.',
  type: 'counter',
  labels: ['pool'],
  read: ({ pools }) => Object.entries(pools()).map(([pool, { slow }]) => ({ labels: { pool }, value: slow })),
})

const bus = defineMetric('parley_bus_up', {
  help: 'Whether Redis, the bus between servers, responds; 1 on a single server.',
  type: 'gauge',
  labels: [],
  read: ({ isBusHealthy }) => [{ value: isBusHealthy() ? 1 : 0 }],
})

const ready = defineMetric('parley_ready', {
  help: 'The checks of GET /ready: 1 if the check succeeds.',
  type: 'gauge',
  labels: ['check'],
  async read(context) {
    const { database, migrations, storage, bus, files } = await checkReadiness(context)
    return Object.entries({ database, migrations, storage, bus, files }).map(([check, { ok }]) => ({
      labels: { check },
      value: ok ? 1 : 0,
    }))
  },
})

/** Metrics of this server. */
export const serverMetrics = [buildInfo, sockets, channels, droppedSockets, connections, slowStatements, bus, ready]
