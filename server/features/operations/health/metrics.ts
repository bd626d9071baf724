import { defineMetric } from '../../../metric.ts'
import { descriptorsOf } from './descriptors.ts'
import { refusedSignatures } from './refused-signatures.ts'
import { readDatabaseSize, readDisk } from './report.ts'
import { clockAheadOf } from './servers.ts'

const databaseSize = defineMetric('parley_database_size_bytes', {
  help: 'Size of the database on disk.',
  type: 'gauge',
  labels: [],
  read: async (context) => [{ value: await readDatabaseSize(context) }],
})

const disk = defineMetric('parley_disk_bytes', {
  help: 'Disk space of the data folder: available to Parley, and in total.',
  type: 'gauge',
  labels: ['state'],
  async read(context) {
    const { free_bytes, total_bytes } = await readDisk(context)
    return Object.entries({ free: free_bytes, total: total_bytes }).map(([state, value]) => ({
      labels: { state },
      value,
    }))
  },
})

const backupAge = defineMetric('parley_backup_age_seconds', {
  help: 'Time since the last `npm run parley -- backup`. Missing if there was none.',
  type: 'gauge',
  labels: [],
  async read({ countingDb }) {
    const { backed_up_at } = await countingDb
      .selectFrom('installation')
      .select('backed_up_at')
      .executeTakeFirstOrThrow()
    return backed_up_at ? [{ value: (Date.now() - Date.parse(backed_up_at)) / 1000 }] : []
  },
})

const refused = defineMetric('parley_signatures_refused_total', {
  help: 'Webhook calls that this server refused because their signature was missing, wrong or too old.',
  type: 'counter',
  labels: ['system'],
  read: (context) =>
    refusedSignatures(context)
      .list()
      .map(({ system, count }) => ({ labels: { system }, value: count })),
})

const clock = defineMetric('parley_clock_ahead_seconds', {
  help: 'How far the clock of this server is ahead of the one of the database; negative if it is behind.',
  type: 'gauge',
  labels: [],
  read(context) {
    const aheadMs = clockAheadOf(context)
    return aheadMs === undefined ? [] : [{ value: aheadMs / 1000 }]
  },
})

const descriptors = defineMetric('parley_descriptors_exhausted_total', {
  help: 'How many times this server had no file descriptors left, so that it closed new connections.',
  type: 'counter',
  labels: [],
  read: (context) => [{ value: descriptorsOf(context).times }],
})

/** Metrics of the installation, and of the machine of this server. */
export const healthMetrics = [databaseSize, disk, backupAge, refused, clock, descriptors]
