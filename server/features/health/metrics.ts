import { defineMetric } from '../../metric.ts'
import { refusedSignatures } from './refused-signatures.ts'
import { readDatabaseSize, readDisk } from './report.ts'

const databaseSize = defineMetric('parley_database_size_bytes', {
  help: 'What the database takes on its disk.',
  type: 'gauge',
  labels: [],
  read: async (context) => [{ value: await readDatabaseSize(context) }],
})

const disk = defineMetric('parley_disk_bytes', {
  help: 'Room on the disk of the data folder: free for Parley, and in all.',
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
  help: 'How long ago `npm run parley -- backup` was done. Missing where it never was.',
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
  help: 'Calls of other systems that this server refused because they bore no signature, or a wrong or an old one.',
  type: 'counter',
  labels: ['system'],
  read: (context) =>
    refusedSignatures(context)
      .list()
      .map(({ system, count }) => ({ labels: { system }, value: count })),
})

/** Metrics of the installation. */
export const healthMetrics = [databaseSize, disk, backupAge, refused]
