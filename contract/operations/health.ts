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
  waiting: z.int32().check(z.describe('Not begun.')),
  running: z.int32().check(z.describe('Being worked on.')),
  failed: z.int32().check(z.describe('Failed, and waiting for a person.')),
  oldest_seconds: z.number().check(z.describe('Age of the oldest that is pending.')),
  overdue_seconds: z
    .number()
    .check(z.describe('How long the longest overdue one has been due: it grows when nothing is being worked on.')),
})
export type BacklogCount = z.output<typeof BacklogCount>

/** The backlog of one kind of work; null if counting it took too long. */
export const BacklogOf = z.object({ name: BacklogName, count: z.nullable(BacklogCount) })
export type BacklogOf = z.output<typeof BacklogOf>

/** A server of the installation. */
export const ServerSeen = z.object({
  id: z.string(),
  name: z.string().check(z.describe('Host name of its machine.')),
  version: z.string().check(z.describe('Version of Parley.')),
  started_at: Timestamp.check(z.describe('When the process started.')),
  seen_at: Timestamp.check(z.describe('When it last wrote that it is alive.')),
  is_missing: z.boolean().check(z.describe('Not seen for a minute and a half.')),
  is_this: z.boolean().check(z.describe('The server that answers this call.')),
  clock_ahead_seconds: z
    .nullable(z.int32())
    .check(
      z.describe('How far its clock is ahead of the database’s; negative if it is behind, null if that is unknown.'),
    ),
  descriptors_exhausted_at: z
    .nullable(Timestamp)
    .check(
      z.describe('When it last could not open files or accept connections, because it had no file descriptors left.'),
    ),
})
export type ServerSeen = z.output<typeof ServerSeen>

/** A consumer of the event log that is behind, or fails on the answering server. */
export const ConsumerHealth = z.object({
  name: z.string(),
  lag_seconds: z.number().check(z.describe('Age of the oldest event it has not read.')),
  failures: z.int32().check(z.describe('Failures since the last success.')),
})

/** Calls of another system, such as Slack, that were refused because their signature was missing, wrong or too old. */
export const RefusedSignatures = z.object({
  system: z.string().check(z.describe('Where the calls came from, such as `stripe`.')),
  count: z.int32(),
  first_at: Timestamp.check(z.describe('The first one.')),
  last_at: Timestamp.check(z.describe('The latest one.')),
})
export type RefusedSignatures = z.output<typeof RefusedSignatures>

/** The state of the whole installation, for the company that set it up. */
export const InstallationHealth = z.object({
  version: z.string().check(z.describe('Version of Parley.')),
  companies: z.int32().check(z.describe('Accounts on this installation.')),
  servers: z.array(ServerSeen).check(z.describe('All servers of the installation.')),
  backlogs: z.array(BacklogOf).check(z.describe('Backlogs of all accounts together.')),
  consumers: z.array(ConsumerHealth).check(z.describe('Readers of the event log.')),
  database_bytes: z.nullable(z.number()).check(z.describe('Null if the size could not be read.')),
  disk: z
    .nullable(
      z.object({
        free_bytes: z.number().check(z.describe('Free space.')),
        total_bytes: z.number().check(z.describe('Size of the disk.')),
      }),
    )
    .check(z.describe('Disk of the data folder on the answering server.')),
  checks: z
    .array(z.object({ name: z.enum(['database', 'migrations', 'storage', 'bus', 'files']), ok: z.boolean() }))
    .check(z.describe('What the answering server depends on, as in `GET /ready`.')),
  backed_up_at: z.nullable(Timestamp).check(z.describe('Null if the backup command was never used.')),
  sends_mail: z.boolean().check(z.describe('Whether a mail server is set up.')),
  mail_problem: z
    .nullable(z.string())
    .check(
      z.describe('Why the answering server could not use the mail server of SMTP_URL the last time, as a sentence.'),
    ),
  refused_signatures: z.array(RefusedSignatures).check(z.describe('On the answering server, since it started.')),
})
export type InstallationHealth = z.output<typeof InstallationHealth>

/** A connection to another system that has a problem. */
export const ConnectionProblem = z.object({
  id: z.string(),
  integration: IntegrationName.check(z.describe('The integration it belongs to, such as `slack`.')),
  inbox_id: z.nullable(z.string()),
  label: z.string().check(z.describe('The name shown to people.')),
  state: IntegrationState.check(z.describe('Whether the connection works.')),
  problem: z.nullable(z.string()).check(z.describe('As a sentence.')),
  problem_at: z.nullable(Timestamp).check(z.describe('When the problem last occurred.')),
})
export type ConnectionProblem = z.output<typeof ConnectionProblem>

/** Whether push notifications of an account arrive on its devices. */
export const PushHealth = z.object({
  devices: z.int32().check(z.describe('Devices of the whole team.')),
  last_success_at: z
    .nullable(Timestamp)
    .check(z.describe('When a push service last accepted a notification; null if none did.')),
  sender_problem: z.nullable(z.string()).check(z.describe('Why none are sent at all, as a sentence for the operator.')),
  problems: z
    .array(
      z.object({
        problem: z.string().check(z.describe('As a sentence.')),
        devices: z.int32().check(z.describe('Devices that have it.')),
        problem_at: Timestamp.check(z.describe('When it last occurred.')),
      }),
    )
    .check(z.describe('Why notifications to some devices fail, the latest first.')),
})
export type PushHealth = z.output<typeof PushHealth>

/** Pending and failed work of an account. */
export const HealthReport = z.object({
  object: z.literal('health_report'),
  checked_at: Timestamp.check(z.describe('When this answer was made.')),
  backlogs: z.array(BacklogOf).check(z.describe('Work that waits, of this account.')),
  webhooks: z
    .object({
      failing: z.int32().check(z.describe('Webhooks whose last call failed.')),
      switched_off: z.int32().check(z.describe('Webhooks that were switched off because they failed for days.')),
    })
    .check(z.describe('Number of webhooks whose address fails, and of those switched off because of that.')),
  broken_connections: z.int32().check(z.describe('Connections that somebody has to make again.')),
  connections: z
    .array(ConnectionProblem)
    .check(z.describe('Connections with a problem, whether they are retried or need somebody.')),
  push: PushHealth.check(z.describe('Notifications on the devices of the team.')),
  installation: z
    .nullable(InstallationHealth)
    .check(z.describe('Only for admins of the company that set up the installation.')),
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
