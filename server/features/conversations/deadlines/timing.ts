import type { Selectable } from 'kysely'
import type { DeadlineKind } from '#contract/conversations/conversations.ts'
import type { DeadlinePolicy } from '#contract/conversations/deadlines.ts'
import type { Database } from '../../../platform/db/schema.ts'
import { newId } from '../../../platform/secrets.ts'
import type { Schedule } from '../../widget/working-hours/working-spans.ts'
import { addWorking, workingBetween } from '../../widget/working-hours/working-time.ts'

export type DeadlineRow = Selectable<Database['deadlines']>

/** The policy and the working hours of a conversation. */
export interface Terms {
  policy: DeadlinePolicy | undefined
  schedule: Schedule
}

/** Why the time of a deadline stands still. */
type Pauses = Pick<DeadlineRow, 'is_snoozed' | 'is_waiting'>

export function isOpen({ done_at, cancelled_at }: DeadlineRow): boolean {
  return done_at === null && cancelled_at === null
}

/** A deadline that starts to run at a time, in ISO 8601. */
export function startDeadline(
  of: Pick<DeadlineRow, 'account_id' | 'conversation_id'>,
  kind: DeadlineKind,
  at: string,
  terms: Terms,
): DeadlineRow {
  const row: DeadlineRow = {
    ...of,
    id: newId(),
    kind,
    ...copyOf(terms.policy, kind),
    started_at: at,
    used_seconds: 0,
    resumed_at: at,
    is_snoozed: false,
    is_waiting: false,
    due_at: null,
    warn_at: null,
    warned_at: null,
    broken_at: null,
    done_at: null,
    cancelled_at: null,
  }
  return withDueTimes(row, terms)
}

/** Pauses or resumes a deadline at a time, if what it waits for changed. */
export function pauseOrResume(row: DeadlineRow, pauses: Partial<Pauses>, at: string, terms: Terms): DeadlineRow {
  const next = { ...row, ...pauses }
  if (isPaused(next) === (row.resumed_at === null)) return next
  if (isPaused(next)) return withDueTimes({ ...next, ...stopped(row, at, terms) }, terms)
  return withDueTimes({ ...next, resumed_at: at }, terms)
}

/** Ends a deadline at a time: the team did what it owed, in time or late, or it no longer matters. */
export function endDeadline(row: DeadlineRow, as: 'done_at' | 'cancelled_at', at: string, terms: Terms): DeadlineRow {
  const { broken_at, ...used } = stopped(row, at, terms)
  return { ...row, ...used, broken_at: as === 'done_at' ? broken_at : row.broken_at, [as]: at }
}

/** The time that a deadline has used when it stops, and whether it was missed before. */
function stopped(row: DeadlineRow, at: string, terms: Terms) {
  const isLate = row.due_at !== null && at > row.due_at
  return {
    used_seconds: usedUntil(row, at, terms),
    resumed_at: null,
    broken_at: row.broken_at ?? (isLate ? row.due_at : null),
  }
}

/** Continues a deadline that had ended, with the time that it had used. */
export function reopenDeadline(row: DeadlineRow, at: string, terms: Terms): DeadlineRow {
  const next = { ...row, done_at: null, cancelled_at: null, is_snoozed: false, is_waiting: false, resumed_at: at }
  return applyTerms(next, at, terms)
}

/** Calculates an open deadline by other terms. One that was missed keeps the terms that it missed. */
export function applyTerms(row: DeadlineRow, at: string, terms: Terms): DeadlineRow {
  if (row.broken_at) return row
  return withDueTimes(pauseOrResume({ ...row, ...copyOf(terms.policy, row.kind) }, {}, at, terms), terms)
}

function copyOf(policy: DeadlinePolicy | undefined, kind: DeadlineKind) {
  const minutes = policy?.[`${kind}_minutes`] ?? null
  return {
    policy_id: minutes && policy ? policy.id : null,
    policy_name: minutes && policy ? policy.name : null,
    target_seconds: minutes && minutes * 60,
    warn_seconds: minutes && policy?.warn_minutes ? policy.warn_minutes * 60 : null,
    in_working_hours: policy?.in_working_hours ?? false,
    pauses_while_waiting: policy?.pauses_while_waiting ?? false,
  }
}

function isPaused({ kind, is_snoozed, is_waiting, pauses_while_waiting }: DeadlineRow): boolean {
  return is_snoozed || (is_waiting && pauses_while_waiting && kind === 'resolution')
}

function hoursOf({ in_working_hours }: DeadlineRow, { schedule }: Terms): Schedule | undefined {
  return in_working_hours ? schedule : undefined
}

function usedUntil(row: DeadlineRow, at: string, terms: Terms): number {
  if (!row.resumed_at) return row.used_seconds
  const used = workingBetween(Date.parse(row.resumed_at), Date.parse(at), hoursOf(row, terms))
  return row.used_seconds + used / 1000
}

/** Calculates when a deadline ends and is warned of. A missed one keeps the time that was missed. */
function withDueTimes(row: DeadlineRow, terms: Terms): DeadlineRow {
  if (row.broken_at) return row
  return { ...row, due_at: momentOf(row, row.target_seconds, terms), warn_at: momentOf(row, warningOf(row), terms) }
}

/** A warning longer than the whole time comes at once. */
function warningOf({ target_seconds, warn_seconds }: DeadlineRow): number | null {
  return target_seconds && warn_seconds && Math.max(0, target_seconds - warn_seconds)
}

/** When a number of seconds is used up; null while paused, or if the team never works. */
function momentOf(row: DeadlineRow, seconds: number | null, terms: Terms): string | null {
  if (seconds === null || !row.resumed_at) return null
  const remaining = Math.round((seconds - row.used_seconds) * 1000)
  const moment = addWorking(Date.parse(row.resumed_at), remaining, hoursOf(row, terms))
  return moment === undefined ? null : new Date(moment).toISOString()
}
