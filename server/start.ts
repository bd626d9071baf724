import { readFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { features, integrations } from './app.ts'
import { addressBehind, createAuthentication, findSocketCaller } from './authentication.ts'
import type { Config } from './config.ts'
import type { Context } from './context.ts'
import { loadSecretKey, readSecretKey } from './data-folder.ts'
import { messageOf } from './errors.ts'
import type { Feature } from './feature.ts'
import { startBroadcasting } from './features/developers/events/broadcasting.ts'
import { type RunningConsumers, startConsumers } from './features/developers/events/consumers.ts'
import { appendEvents } from './features/developers/events/event-log.ts'
import { applySavedAddress } from './features/operations/operations/address.ts'
import { supportOrigin } from './features/operations/operations/environment.ts'
import { isFolderFull, openFileStore } from './file-store.ts'
import { checkSecretKey, hasKey, missingKey } from './platform/crypto/installation-key.ts'
import { createKeyring, type Keyring } from './platform/crypto/keyring.ts'
import { createChange } from './platform/db/change.ts'
import { checkDatabase } from './platform/db/check-database.ts'
import { type Connection, type ConnectionConfig, connect } from './platform/db/connection.ts'
import { createGroupedChange } from './platform/db/group-commit.ts'
import { migrate, migrationState } from './platform/db/migrate.ts'
import { poolSizes, totalConnections } from './platform/db/pool-sizes.ts'
import { createSearches } from './platform/db/searches.ts'
import { openFanOut } from './platform/fan-out.ts'
import { createPictureWorkers } from './platform/files/convert-picture.ts'
import { type FileStore, StoreFailed } from './platform/files/file-store.ts'
import { listen } from './platform/http/listening.ts'
import { servePages } from './platform/http/pages.ts'
import { answerNotFound } from './platform/http/responses.ts'
import { Routes } from './platform/http/routes.ts'
import { createHttpServer } from './platform/http/server.ts'
import { createJobs } from './platform/jobs/jobs.ts'
import { createMailer } from './platform/mail/mailer.ts'
import { OperatorError } from './platform/operator-error.ts'
import { CONNECTION_TIMING, type ConnectionTiming } from './platform/outbound/connection-timing.ts'
import { LiveConnections } from './platform/outbound/live-connections.ts'
import { createOutbound } from './platform/outbound/outbound.ts'
import { Realtime } from './platform/realtime/realtime.ts'
import type { RealtimeSettings } from './platform/realtime/settings.ts'
import { Sandbox } from './platform/sandbox/sandbox.ts'
import { Workers } from './platform/workers/workers.ts'

export interface Server {
  context: Context
  app: FastifyInstance
  /** Its address, such as `http://127.0.0.1:4000`. */
  url: string
  /**
   * Finishes open requests, asks sockets to reconnect, lets running jobs end. With `noticeMs`, proxies that poll
   * /health get that time to notice first.
   */
  stop(options?: { noticeMs?: number }): Promise<void>
}

interface Options {
  config: Config
  database: ConnectionConfig
  log: FastifyBaseLogger
  /** In tests: checks every response against the contract. */
  checkResponses?: boolean
  /** In tests: one more feature. */
  extra?: Feature
  /** In tests: shorter time limits of long-lived connections. */
  timing?: Partial<ConnectionTiming> | undefined
}

/** Starts everything on an existing database: migrates it, then serves calls, sockets, pages and jobs on one port. */
export async function startServer({
  config,
  database,
  log,
  checkResponses = false,
  extra,
  timing,
}: Options): Promise<Server> {
  const endTracing = await openTracing(config)
  const sizes = poolSizes(config.databaseConnections)
  if (config.databaseUrl) await checkDatabase(database, log, totalConnections(sizes))
  await migrate(database, log)
  const connection = connect(database, log, config.baseUrl, { maxConnections: sizes.main })
  const searching = connect(database, log, config.baseUrl, { ...SEARCHING, maxConnections: sizes.searches })
  const counting = connect(database, log, config.baseUrl, { ...COUNTING, maxConnections: sizes.counts })
  const keys = await openKeyring(config, connection)
  await applySavedAddress(connection.kysely, config)
  const jobs = createJobs({ pool: connection.pool, log })
  const fanOut = await openFanOut(config.redisUrl, log)
  const addressOf = (request: IncomingMessage) => addressBehind(request, config.trustProxy)
  const realtime = new Realtime({
    ...fanOut,
    log,
    addressOf,
    authenticate: (params, request) => findSocketCaller(connection.kysely, params, addressOf(request)),
    settings: config.rateLimits ? {} : UNLIMITED,
  })
  const all = [...features, ...integrations, ...(extra ? [extra] : [])]
  const consumers = all.flatMap((feature) => feature.consumers ?? [])
  const broadcasting = await startBroadcasting({
    db: connection.kysely,
    realtime,
    log,
    apply(events) {
      for (const feature of all) feature.onEvents?.(context, events)
    },
  })
  let running: RunningConsumers | undefined
  let isStopping = false
  const change = createChange(connection.kysely, {
    append: appendEvents,
    publish(logged) {
      running?.wake(new Set(logged.map(({ event }) => event.type)))
      broadcasting.broadcast(logged)
    },
  })
  const context: Context = {
    config,
    version: VERSION,
    database,
    db: connection.kysely,
    change,
    groupedChange: createGroupedChange(change),
    files: await openCheckedStore(config, log),
    workers: new Workers(WORKERS),
    pictures: createPictureWorkers(),
    jobs,
    keys,
    limits: fanOut.limits,
    mailer: createMailer(config.smtpUrl, config.mailFrom, log),
    searches: createSearches(searching.kysely),
    outbound: createOutbound(config.reachableHosts),
    sandbox: new Sandbox(),
    countingDb: counting.kysely,
    realtime,
    eventLog: {
      cursor: broadcasting.cursor,
      late: broadcasting.late,
      consumers: () => consumers.map(({ name }) => name),
      failing: () => running?.failing() ?? [],
    },
    customerData: all.flatMap((feature) => feature.customerData ?? []),
    backlogs: all.flatMap((feature) => feature.backlogs ?? []),
    metrics: all.flatMap((feature) => feature.metrics ?? []),
    pools: () => ({ main: connection.counts(), searches: searching.counts() }),
    integrations: new Map(
      all.flatMap((feature) => feature.integrations ?? []).map((integration) => [integration.name, integration]),
    ),
    liveConnections: { reconcile: async () => (config.integrations ? liveConnections.reconcile() : undefined) },
    timing: { ...CONNECTION_TIMING, ...timing },
    dist: DIST,
    isBusHealthy: () => fanOut.bus.isHealthy(),
    busProblem: () => fanOut.bus.problem(),
    isStopping: () => isStopping,
    isStorageFull: async () => (await isFolderFull(config.dataDir)) || connection.isFull(),
    migrations: () => migrationState(connection.pool),
    log,
  }
  const liveConnections = new LiveConnections({
    db: connection.kysely,
    log,
    timing: context.timing,
    wanted: async () => (await Promise.all(all.map((feature) => feature.liveConnections?.(context) ?? []))).flat(),
  })
  const app = await createHttpServer(log, config.trustProxy)
  await openFeatures(app, context, all, checkResponses)
  running = await startConsumers(context, consumers)
  const url = await listen(app, config).catch(async (error) => {
    await stop()
    throw error
  })
  void context.liveConnections.reconcile()
  for (const feature of all) feature.start?.(context)

  async function stop({ noticeMs = 0 } = {}) {
    isStopping = true
    if (noticeMs > 0) await sleep(noticeMs)
    // A hung database answers nothing: aborting makes waiting work fail, so that the shutdown ends within its time
    // limit.
    const abort = setTimeout(() => {
      log.warn('Stopping takes too long: closing all database connections')
      searching.abort()
      counting.abort()
      connection.abort()
    }, STOP_PATIENCE_MS)
    await stopAll().finally(() => clearTimeout(abort))
  }

  async function stopAll() {
    for (const feature of all) feature.stop?.(context)
    // First, so that nothing waits for what a stranger's input does there. Their tasks are released for the next start.
    context.workers.stop()
    context.pictures.stop()
    await liveConnections.stop()
    await realtime.drain()
    await app.close()
    await broadcasting.stop()
    await running?.stop()
    await jobs.stop()
    context.mailer.close()
    context.sandbox.stop()
    await context.outbound.close()
    fanOut.close()
    await searching.end()
    await counting.end()
    await connection.end()
    await endTracing?.()
  }
  return { context, app, url, stop }
}

/**
 * Time for open requests, sockets and jobs; container engines and systemd kill after 30 s, and the database has to
 * stop, too.
 */
const STOP_PATIENCE_MS = 15_000

/** Short queries that an index answers, also on a database that is configured for reports. */
const FOR_SEARCHES = { jit: 'off', max_parallel_workers_per_gather: '0', enable_seqscan: 'off' }
const SEARCHING = { name: 'parley searches', seconds: 5, settings: FOR_SEARCHES }
const COUNTING = { name: 'parley counts', seconds: 2 }
/** One account gets two of the processes at most, so that another one's task starts at once. */
const WORKERS = { processes: 3, perAccount: 2, priority: 5 }

/** Calls, sockets and files: for missing ones the dashboard would be a confusing response. */
const NO_PAGE = /^\/(api|socket|files|assets|chat)(\/|\?|$)|^[^?]*\.\w{2,5}(\?|$)/

/** For tests and benches that simulate thousands of people behind one address. */
const UNLIMITED: Partial<RealtimeSettings> = {
  frames: { capacity: 1e9, perSecond: 1e9 },
  upgrades: { capacity: 1e9, perSecond: 1e9 },
  maxTeamSocketsPerNetwork: 1e9,
  maxVisitorSocketsPerNetwork: 1e9,
}

const root = resolve(import.meta.dirname, '..')
const DIST = resolve(root, 'dist')
const VERSION: string = JSON.parse(readFileSync(resolve(root, 'package.json'), 'utf8')).version

/**
 * Reads the secret key, or creates it for a database that has none yet, so that a start that is refused leaves no new
 * key behind.
 * @throws OperatorError if the database was encrypted with another key
 */
async function openKeyring(config: Config, { kysely, end }: Connection): Promise<Keyring> {
  try {
    if (!(await readSecretKey(config)) && (await hasKey(kysely))) throw missingKey(config.dataDir)
    config.secretKey = await loadSecretKey(config)
    const keys = createKeyring(config.secretKey, config.previousSecretKey)
    await checkSecretKey(kysely, keys)
    return keys
  } catch (error) {
    await end()
    throw error
  }
}

/** @throws OperatorError if the store will not work until an operator changes something */
async function openCheckedStore(config: Config, log: FastifyBaseLogger): Promise<FileStore> {
  const store = await openFileStore(config)
  await store.check().catch((error: unknown) => {
    if (error instanceof StoreFailed && error.isLasting) throw new OperatorError(error.message)
    log.error({ reason: messageOf(error) }, 'The file store cannot be used: attached files are refused until it can')
  })
  return store
}

/** Registers the features' calls and sockets, and starts their jobs and schedules. */
async function openFeatures(app: FastifyInstance, context: Context, all: Feature[], checkResponses: boolean) {
  await openHttp(app, context, all, checkResponses)
  context.realtime.attach(
    app.server,
    all.flatMap((feature) => feature.channels?.(context) ?? []),
  )
  await context.jobs.start({
    jobs: all.flatMap((feature) => feature.jobs ?? []),
    schedules: all.flatMap((feature) => feature.schedules ?? []),
    context,
  })
}

/** Loads its library only if the variables for it are set. */
async function openTracing({ tracedShare: share }: Config): Promise<(() => Promise<void>) | undefined> {
  if (share === undefined) return undefined
  const { startTracing } = await import('./platform/tracing/open-telemetry.ts')
  return startTracing({ version: VERSION, share })
}

async function openHttp(app: FastifyInstance, context: Context, all: Feature[], checkResponses: boolean) {
  const routes = new Routes()
  for (const feature of all) for (const open of feature.routes ?? []) open(routes, context)
  const signatures = Object.assign({}, ...all.map((feature) => feature.signatures?.(context)))
  const authentication = createAuthentication(context, signatures, checkResponses)
  routes.open(app, authentication)

  const guest = supportOrigin(context.config.supportChatUrl)
  const pages = await servePages(app, DIST, new URL(context.config.baseUrl).origin, guest)
  const call = routes.caller(authentication)
  for (const feature of all) feature.pages?.(app, context, { limit: authentication.limit, call, ...pages })
  app.setNotFoundHandler((request, reply) => {
    const isPage = /^(GET|HEAD)$/.test(request.method) && !NO_PAGE.test(request.url)
    return isPage ? pages.sendDashboard(reply) : answerNotFound(request, reply)
  })
}
