import { defineMetric } from '../../metric.ts'
import { checkReadiness } from './readiness.ts'

const buildInfo = defineMetric('parley_build_info', {
  help: 'Which version of Parley and of Node.js this server runs.',
  type: 'gauge',
  labels: ['version', 'node'],
  read: ({ version }) => [{ labels: { version, node: process.versions.node }, value: 1 }],
})

const sockets = defineMetric('parley_sockets', {
  help: 'Sockets that are open on this server.',
  type: 'gauge',
  labels: [],
  read: ({ realtime }) => [{ value: realtime.stats().sockets }],
})

const channels = defineMetric('parley_channels', {
  help: 'Topics that the sockets of this server have joined.',
  type: 'gauge',
  labels: [],
  read: ({ realtime }) => [{ value: realtime.stats().channels }],
})

const droppedSockets = defineMetric('parley_frames_refused_total', {
  help: 'Frames that could not be read or were too many, and sockets that were closed because they read too slowly.',
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
  help: 'Connections of this server to the database that are used or idle, how many there may be, and queries that wait for one.',
  type: 'gauge',
  labels: ['pool', 'state'],
  read: ({ pools }) =>
    Object.entries(pools()).flatMap(([pool, { most, used, idle, waiting }]) =>
      Object.entries({ most, used, idle, waiting }).map(([state, value]) => ({ labels: { pool, state }, value })),
    ),
})

const slowStatements = defineMetric('parley_database_slow_statements_total', {
  help: 'Statements of this server that took longer than half a second. Their text stands in its log.',
  type: 'counter',
  labels: ['pool'],
  read: ({ pools }) => Object.entries(pools()).map(([pool, { slow }]) => ({ labels: { pool }, value: slow })),
})

const bus = defineMetric('parley_bus_up', {
  help: 'Whether the bus between servers (Redis) answers; 1 on a server that is alone.',
  type: 'gauge',
  labels: [],
  read: ({ isBusHealthy }) => [{ value: isBusHealthy() ? 1 : 0 }],
})

const ready = defineMetric('parley_ready', {
  help: 'What this server cannot do without, as GET /ready says.',
  type: 'gauge',
  labels: ['check'],
  async read(context) {
    const { database, migrations, storage, bus } = await checkReadiness(context)
    return Object.entries({ database, migrations, storage, bus }).map(([check, { ok }]) => ({
      labels: { check },
      value: ok ? 1 : 0,
    }))
  },
})

/** Metrics of this server. */
export const serverMetrics = [buildInfo, sockets, channels, droppedSockets, connections, slowStatements, bus, ready]
