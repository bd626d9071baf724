import * as z from 'zod/mini'
import { data, endpoint } from './endpoint.ts'
import { Timestamp } from './wire.ts'

/** Work that waits: jobs, mails, webhooks, what goes to other systems and comes from them, and runs of functions. */
export const BacklogName = z.enum(['jobs', 'mails', 'webhooks', 'deliveries', 'inbound_events', 'function_runs'])
export type BacklogName = z.output<typeof BacklogName>

/** How much of one kind there is. */
export const BacklogCount = z.object({
  waiting: z.int(),
  running: z.int(),
  /** Ended badly, and waits for a person. */
  failed: z.int(),
  /** How long the oldest that waits has been there. */
  oldest_seconds: z.number(),
  /** For how long the one that is due longest has been due: grows when nobody works on what waits. */
  overdue_seconds: z.number(),
})
export type BacklogCount = z.output<typeof BacklogCount>

/** What there is of one kind of work; null where counting it took too long. */
export const BacklogOf = z.object({ name: BacklogName, count: z.nullable(BacklogCount) })
export type BacklogOf = z.output<typeof BacklogOf>

/** A server of the installation. */
export const ServerSeen = z.object({
  id: z.string(),
  /** That of its machine. */
  name: z.string(),
  version: z.string(),
  started_at: Timestamp,
  seen_at: Timestamp,
  /** Not seen for a minute and a half. */
  is_missing: z.boolean(),
  /** The one that answers. */
  is_this: z.boolean(),
})
export type ServerSeen = z.output<typeof ServerSeen>

/** A consumer of the log of events that is behind, or fails on the server that answers. */
export const ConsumerHealth = z.object({
  name: z.string(),
  lag_seconds: z.number(),
  failures: z.int(),
})

/** Calls of another system, such as Slack, that were refused because they bore no signature, or a wrong or an old one. */
export const RefusedSignatures = z.object({
  system: z.string(),
  count: z.int(),
  first_at: Timestamp,
  last_at: Timestamp,
})
export type RefusedSignatures = z.output<typeof RefusedSignatures>

/** What concerns all companies: for the one that set the installation up. */
export const InstallationHealth = z.object({
  version: z.string(),
  companies: z.int(),
  servers: z.array(ServerSeen),
  /** What waits in all accounts together. */
  backlogs: z.array(BacklogOf),
  consumers: z.array(ConsumerHealth),
  /** Null where the size could not be read. */
  database_bytes: z.nullable(z.number()),
  /** Of the data folder on the server that answers. */
  disk: z.nullable(z.object({ free_bytes: z.number(), total_bytes: z.number() })),
  /** What the server that answers cannot do without, each as in `GET /ready`. */
  checks: z.array(z.object({ name: z.enum(['database', 'migrations', 'storage', 'bus']), ok: z.boolean() })),
  /** None was made by the command for it. */
  backed_up_at: z.nullable(Timestamp),
  sends_mail: z.boolean(),
  /** On the server that answers, since it started. */
  refused_signatures: z.array(RefusedSignatures),
})
export type InstallationHealth = z.output<typeof InstallationHealth>

/** What waits and what failed in an account. */
export const HealthReport = z.object({
  object: z.literal('health_report'),
  checked_at: Timestamp,
  backlogs: z.array(BacklogOf),
  /** Webhooks whose address fails, and those that were switched off for it. */
  webhooks: z.object({ failing: z.int(), switched_off: z.int() }),
  /** Connections that somebody has to make again. */
  broken_connections: z.int(),
  /** Only for admins of the company that set up the installation. */
  installation: z.nullable(InstallationHealth),
})
export type HealthReport = z.output<typeof HealthReport>

/** Calls about what waits, what failed and how the installation is. */
export const health = {
  report: endpoint('admin', 'GET', '/api/health_report', {
    summary:
      'What waits and what failed in this account. Admins of the company that set up the installation also see its servers, database and disk.',
    answer: data(HealthReport),
  }),
}
