import type { BacklogName, BacklogOf, HealthReport, InstallationHealth } from '#contract/health.ts'
import type { Tone } from '../../ui/Pill.tsx'

/** How work is: `failed` waits for a person, `late` is due and nobody works on it, `unknown` could not be counted. */
export type WorkState = 'well' | 'waiting' | 'late' | 'failed' | 'unknown'

export const TONES: Record<WorkState, Tone> = {
  well: 'success',
  waiting: 'accent',
  late: 'warning',
  failed: 'danger',
  unknown: 'warning',
}

/** Seconds for which work of a kind may be due. A mail server may ask to be tried again later. */
const LATE_SECONDS: Record<BacklogName, number> = {
  jobs: 120,
  mails: 900,
  webhooks: 120,
  deliveries: 120,
  inbound_events: 120,
  function_runs: 300,
}

/** Within a minute each consumer has read what is new. */
const LATE_CONSUMER_SECONDS = 60
/** The free share of a disk below which somebody should free space. */
const LEAST_FREE = 0.1
/** Days after which a backup is old. */
const OLD_BACKUP_DAYS = 2

export function stateOf({ name, count }: BacklogOf): WorkState {
  if (!count) return 'unknown'
  if (count.failed > 0) return 'failed'
  if (count.overdue_seconds > LATE_SECONDS[name]) return 'late'
  return count.waiting + count.running > 0 ? 'waiting' : 'well'
}

/** Whether what must follow from events comes late. */
export function isConsumerLate({ lag_seconds, failures }: InstallationHealth['consumers'][number]): boolean {
  return lag_seconds > LATE_CONSUMER_SECONDS || failures > 0
}

/** What is wrong with the installation, each a sentence of the texts. */
export type Problem =
  | 'database'
  | 'migrations'
  | 'storage'
  | 'bus'
  | 'consumers'
  | 'disk'
  | 'servers'
  | 'versions'
  | 'backup'

/** What somebody should look after, the most urgent first. */
export function problemsOf({ installation, checked_at }: HealthReport): Problem[] {
  if (!installation) return []
  const { checks, consumers, disk, servers, backed_up_at } = installation
  const problems: Problem[] = checks.filter(({ ok }) => !ok).map(({ name }) => name)
  if (consumers.some(isConsumerLate)) problems.push('consumers')
  if (disk && disk.free_bytes / disk.total_bytes < LEAST_FREE) problems.push('disk')
  if (servers.some(({ is_missing }) => is_missing)) problems.push('servers')
  if (new Set(servers.filter(({ is_missing }) => !is_missing).map(({ version }) => version)).size > 1)
    problems.push('versions')
  const age = backed_up_at ? Date.parse(checked_at) - Date.parse(backed_up_at) : 0
  if (age > OLD_BACKUP_DAYS * 86_400_000) problems.push('backup')
  return problems
}

/** How many things need a person, and how many only take longer than they should. */
export function countTroubles(report: HealthReport): { needs: number; late: number } {
  const states = report.backlogs.map(stateOf)
  const { failing, switched_off } = report.webhooks
  const needs =
    states.filter((state) => state === 'failed').length +
    (switched_off > 0 ? 1 : 0) +
    (report.broken_connections > 0 ? 1 : 0) +
    problemsOf(report).length
  const late = states.filter((state) => state === 'late' || state === 'unknown').length + (failing > 0 ? 1 : 0)
  return { needs, late }
}
