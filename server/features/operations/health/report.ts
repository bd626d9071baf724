import { statfs } from 'node:fs/promises'
import { sql } from 'kysely'
import type { BacklogOf, ConnectionProblem, HealthReport, InstallationHealth } from '#contract/operations/health.ts'
import type { Context } from '../../../context.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import { listAuthorizations } from '../../connections/authorizations/authorizations.ts'
import { describePush } from '../../conversations/push/health.ts'
import { readConsumerLag } from '../../developers/events/consumer-lag.ts'
import { isFirstAccount } from '../operations/address.ts'
import { checkReadiness } from '../operations/readiness.ts'
import { refusedSignatures } from './refused-signatures.ts'
import { listServers } from './servers.ts'

/**
 * Pending and failed work of an account. Data about the whole installation is for the account that set it up: how much
 * other companies write, and on which hardware, does not concern other admins.
 */
export async function reportHealth(context: Context, account_id: string): Promise<HealthReport> {
  const isOperator = await isFirstAccount(context.db, account_id)
  const [backlogs, webhooks, connections, push, installation] = await Promise.all([
    countBacklogs(context, account_id),
    countWebhooks(context, account_id),
    listProblems(context, account_id),
    describePush(context, account_id),
    isOperator ? describeInstallation(context) : null,
  ])
  return {
    object: 'health_report',
    checked_at: new Date().toISOString(),
    backlogs,
    webhooks,
    broken_connections: connections.filter(({ state }) => state === 'broken').length,
    connections,
    push,
    installation,
  }
}

function countBacklogs(context: Context, account_id?: string): Promise<BacklogOf[]> {
  return Promise.all(
    context.backlogs.map(async ({ name, count }) => ({
      name,
      count: await orNull(context, name, () => count(context, account_id)),
    })),
  )
}

async function countWebhooks({ db }: Context, account_id: string): Promise<HealthReport['webhooks']> {
  return ofAccount(db, account_id)
    .selectFrom('event_subscriptions')
    .select(
      sql<number>`(count(*) filter (where failing_since is not null and switched_off_at is null))::integer`.as(
        'failing',
      ),
    )
    .select(sql<number>`(count(*) filter (where switched_off_at is not null))::integer`.as('switched_off'))
    .executeTakeFirstOrThrow()
}

/** Connections that cannot receive or send at the moment. */
async function listProblems({ db }: Context, account_id: string): Promise<ConnectionProblem[]> {
  const all = await listAuthorizations(db, account_id)
  return all
    .filter(({ state, problem }) => state === 'broken' || problem !== null)
    .map(({ id, integration, inbox_id, label, state, problem, problem_at }) => ({
      id,
      integration,
      inbox_id,
      label,
      state,
      problem,
      problem_at,
    }))
}

async function describeInstallation(context: Context): Promise<InstallationHealth> {
  const [readiness, servers, backlogs, lags, database_bytes, disk, { backed_up_at }, { companies }] = await Promise.all(
    [
      checkReadiness(context),
      listServers(context),
      countBacklogs(context),
      orNull(context, 'consumers', () => readConsumerLag(context)),
      orNull(context, 'database', () => readDatabaseSize(context)),
      orNull(context, 'disk', () => readDisk(context)),
      context.db.selectFrom('installation').select('backed_up_at').executeTakeFirstOrThrow(),
      context.db
        .selectFrom('accounts')
        .select(sql<number>`count(*)::integer`.as('companies'))
        .executeTakeFirstOrThrow(),
    ],
  )
  const failing = new Map(context.eventLog.failing().map(({ name, failures }) => [name, failures]))
  return {
    version: context.version,
    companies,
    servers,
    backlogs,
    consumers: (lags ?? []).map(({ name, seconds }) => ({
      name,
      lag_seconds: seconds,
      failures: failing.get(name) ?? 0,
    })),
    database_bytes,
    disk,
    checks: (['database', 'migrations', 'storage', 'bus', 'files'] as const).map((name) => ({
      name,
      ok: readiness[name].ok,
    })),
    backed_up_at,
    sends_mail: context.mailer.isOn,
    mail_problem: context.mailer.problem(),
    refused_signatures: refusedSignatures(context).list(),
  }
}

/** Size of the database in bytes. */
export async function readDatabaseSize({ countingDb }: Context): Promise<number> {
  const { rows } = await sql<{ size: string }>`
    select pg_database_size(current_database())::text as size`.execute(countingDb)
  return Number(rows[0]!.size)
}

/** Space on the disk of this server's data folder. */
export async function readDisk({ config }: Context): Promise<{ free_bytes: number; total_bytes: number }> {
  const { bavail, blocks, bsize } = await statfs(config.dataDir)
  return { free_bytes: bavail * bsize, total_bytes: blocks * bsize }
}

/** A value that cannot be read must not hide the others. */
async function orNull<Result>({ log }: Context, of: string, read: () => Promise<Result>): Promise<Result | null> {
  return read().catch((error) => {
    log.warn({ err: error, of }, 'A metric could not be read')
    return null
  })
}
