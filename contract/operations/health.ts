import * as z from 'zod/mini'
import { IntegrationName, IntegrationState } from '../connections/integrations.ts'
import { data, endpoint } from '../endpoint.ts'
import { Timestamp } from '../wire.ts'

/**
 * Kinds of pending work: jobs, mails, webhooks, deliveries to other systems and events from them, and runs of
 * functions.
 */
export const BacklogName = z.enum(['jobs', 'mails', 'webhooks', 'deliveries', 'inbound_events', 'function_runs'])
export type BacklogName = z.output<typeof BacklogName>

/** Counts of one kind. */
export const BacklogCount = z.object({
  waiting: z.int32(),
  running: z.int32(),
  /** Failed, and waiting for a person. */
  failed: z.int32(),
  /** Age of the oldest that is pending. */
  oldest_seconds: z.number(),
  /** How long the longest overdue one has been due: it grows when nothing is being worked on. */
  overdue_seconds: z.number(),
})
export type BacklogCount = z.output<typeof BacklogCount>

/** The backlog of one kind of work; null if counting it took too long. */
export const BacklogOf = z.object({ name: BacklogName, count: z.nullable(BacklogCount) })
export type BacklogOf = z.output<typeof BacklogOf>

/** A server of the installation. */
export const ServerSeen = z.object({
  id: z.string(),
  /** Host name of its machine. */
  name: z.string(),
  version: z.string(),
  started_at: Timestamp,
  seen_at: Timestamp,
  /** Not seen for a minute and a half. */
  is_missing: z.boolean(),
  /** The server that answers this call. */
  is_this: z.boolean(),
})
export type ServerSeen = z.output<typeof ServerSeen>

/** A consumer of the event log that is behind, or fails on the answering server. */
export const ConsumerHealth = z.object({
  name: z.string(),
  lag_seconds: z.number(),
  failures: z.int32(),
})

/** Calls of another system, such as Slack, that were refused because their signature was missing, wrong or too old. */
export const RefusedSignatures = z.object({
  system: z.string(),
  count: z.int32(),
  first_at: Timestamp,
  last_at: Timestamp,
})
export type RefusedSignatures = z.output<typeof RefusedSignatures>

/** The state of the whole installation, for the company that set it up. */
export const InstallationHealth = z.object({
  version: z.string(),
  companies: z.int32(),
  servers: z.array(ServerSeen),
  /** Backlogs of all accounts together. */
  backlogs: z.array(BacklogOf),
  consumers: z.array(ConsumerHealth),
  /** Null if the size could not be read. */
  database_bytes: z.nullable(z.number()),
  /** Disk of the data folder on the answering server. */
  disk: z.nullable(z.object({ free_bytes: z.number(), total_bytes: z.number() })),
  /** What the answering server depends on, as in `GET /ready`. */
  checks: z.array(z.object({ name: z.enum(['database', 'migrations', 'storage', 'bus', 'files']), ok: z.boolean() })),
  /** Null if the backup command was never used. */
  backed_up_at: z.nullable(Timestamp),
  sends_mail: z.boolean(),
  /** Why the answering server could not use the mail server of SMTP_URL the last time, as a sentence. */
  mail_problem: z.nullable(z.string()),
  /** On the answering server, since it started. */
  refused_signatures: z.array(RefusedSignatures),
})
export type InstallationHealth = z.output<typeof InstallationHealth>

/** A connection to another system that has a problem. */
export const ConnectionProblem = z.object({
  id: z.string(),
  integration: IntegrationName,
  inbox_id: z.nullable(z.string()),
  label: z.string(),
  state: IntegrationState,
  /** As a sentence. */
  problem: z.nullable(z.string()),
  problem_at: z.nullable(Timestamp),
})
export type ConnectionProblem = z.output<typeof ConnectionProblem>

/** Pending and failed work of an account. */
export const HealthReport = z.object({
  object: z.literal('health_report'),
  checked_at: Timestamp,
  backlogs: z.array(BacklogOf),
  /** Number of webhooks whose address fails, and of those switched off because of that. */
  webhooks: z.object({ failing: z.int32(), switched_off: z.int32() }),
  /** Connections that somebody has to make again. */
  broken_connections: z.int32(),
  /** Connections with a problem, whether they are retried or need somebody. */
  connections: z.array(ConnectionProblem),
  /** Only for admins of the company that set up the installation. */
  installation: z.nullable(InstallationHealth),
})
export type HealthReport = z.output<typeof HealthReport>

/** Calls about pending and failed work, and the state of the installation. */
export const health = {
  report: endpoint('admin', 'GET', '/api/health_report', {
    summary:
      'Returns waiting and failed work of the account. Admins of the account that set up the installation also see its servers, database and disk.',
    answer: data(HealthReport),
  }),
}
