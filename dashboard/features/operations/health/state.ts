import type {
  BacklogName,
  BacklogOf,
  HealthReport,
  InstallationHealth,
  PushHealth,
  ServerSeen,
} from '#contract/operations/health.ts'
import type { Tone } from '../../../ui/Pill.tsx'

/** `failed` needs a person, `late` is overdue, `unknown` could not be counted. */
export type WorkState = 'well' | 'waiting' | 'late' | 'failed' | 'unknown'

export const TONES: Record<WorkState, Tone> = {
  well: 'success',
  waiting: 'accent',
  late: 'warning',
  failed: 'danger',
  unknown: 'warning',
}

/** Seconds for which work may be overdue. Mail servers may ask for a later retry. */
const LATE_SECONDS: Record<BacklogName, number> = {
  jobs: 120,
  mails: 900,
  webhooks: 120,
  deliveries: 120,
  inbound_events: 120,
  function_runs: 300,
}

/** Consumers normally catch up within a minute. */
const LATE_CONSUMER_SECONDS = 60
/** The free share of a disk below which there is a warning. */
const MIN_FREE = 0.1
const OLD_BACKUP_DAYS = 2
/** As on the server. */
const TOLERATED_CLOCK_SECONDS = 5
/** For how long it is reported that a server had no file descriptors left. */
const EXHAUSTED_MINUTES = 60

export function stateOf({ name, count }: BacklogOf): WorkState {
  if (!count) return 'unknown'
  if (count.failed > 0) return 'failed'
  if (count.overdue_seconds > LATE_SECONDS[name]) return 'late'
  return count.waiting + count.running > 0 ? 'waiting' : 'well'
}

/** Whether an event consumer is behind. */
export function isConsumerLate({ lag_seconds, failures }: InstallationHealth['consumers'][number]): boolean {
  return lag_seconds > LATE_CONSUMER_SECONDS || failures > 0
}

/** Whether a server's clock is so far off that it does harm. */
export function isClockOff({ clock_ahead_seconds }: ServerSeen): boolean {
  return Math.abs(clock_ahead_seconds ?? 0) > TOLERATED_CLOCK_SECONDS
}

/** Whether notifications fail to reach devices. Without devices, nobody misses them. */
export function hasPushTrouble({ devices, sender_problem, problems }: PushHealth): boolean {
  return problems.length > 0 || (devices > 0 && sender_problem !== null)
}

function minutesBetween(earlier: string, later: string): number {
  return (Date.parse(later) - Date.parse(earlier)) / 60_000
}

/** Problems of the installation, each with a text. */
export type Problem =
  | 'database'
  | 'migrations'
  | 'storage'
  | 'bus'
  | 'files'
  | 'consumers'
  | 'disk'
  | 'servers'
  | 'versions'
  | 'descriptors'
  | 'clock'
  | 'backup'

/** The problems to solve, the most urgent first. */
export function problemsOf({ installation, checked_at }: HealthReport): Problem[] {
  if (!installation) return []
  const { checks, consumers, disk, servers, backed_up_at } = installation
  const problems: Problem[] = checks.filter(({ ok }) => !ok).map(({ name }) => name)
  if (consumers.some(isConsumerLate)) problems.push('consumers')
  if (disk && disk.free_bytes / disk.total_bytes < MIN_FREE) problems.push('disk')
  if (servers.some(({ is_missing }) => is_missing)) problems.push('servers')
  if (new Set(servers.filter(({ is_missing }) => !is_missing).map(({ version }) => version)).size > 1)
    problems.push('versions')
  if (servers.some(({ descriptors_exhausted_at: at }) => at && minutesBetween(at, checked_at) < EXHAUSTED_MINUTES))
    problems.push('descriptors')
  if (servers.some(isClockOff)) problems.push('clock')
  const age = backed_up_at ? Date.parse(checked_at) - Date.parse(backed_up_at) : 0
  if (age > OLD_BACKUP_DAYS * 86_400_000) problems.push('backup')
  return problems
}

/** How many problems need a person, how many things are late, and how many connections are interrupted. */
export function countTroubles(report: HealthReport): { needs: number; late: number; interrupted: number } {
  const states = report.backlogs.map(stateOf)
  const { failing, switched_off } = report.webhooks
  const needs =
    states.filter((state) => state === 'failed').length +
    (switched_off > 0 ? 1 : 0) +
    (report.broken_connections > 0 ? 1 : 0) +
    problemsOf(report).length +
    (report.installation?.mail_problem ? 1 : 0) +
    (hasPushTrouble(report.push) ? 1 : 0)
  const late = states.filter((state) => state === 'late' || state === 'unknown').length + (failing > 0 ? 1 : 0)
  const interrupted = report.connections.filter(({ state }) => state !== 'broken').length
  return { needs, late, interrupted }
}
