import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '../../context.ts'
import { recordFailure, recordWorking } from '../../features/connections/authorizations/health.ts'
import { recordReceiving, recordReceivingFailure } from '../../features/connections/authorizations/receiving.ts'
import { ConnectionRevoked } from '../../integration.ts'
import { acrossAccounts } from '../../platform/db/of-account.ts'
import type { LiveConnection, WantedConnection } from '../../platform/outbound/live-connections.ts'
import { loadSlack, SLACK_INTEGRATIONS, type SlackSettings } from './authorization.ts'
import { catchUp } from './catch-up.ts'
import { openSocket } from './socket.ts'

interface ConnectionKey {
  account_id: string
  id: string
}

/**
 * The live connections that should be open: one per app, for any number of channels, because Slack sends each event to
 * one connection of an app only.
 */
export async function slackConnections(context: Context): Promise<WantedConnection[]> {
  const rows = await acrossAccounts(context.db, 'looks after all accounts at once')
    .selectFrom('authorizations')
    .select(['account_id', 'id', 'settings', 'updated_at'])
    .where('integration', 'in', SLACK_INTEGRATIONS)
    .where('way_in', '=', 'live')
    .where('state', '=', 'connected')
    .where('removed_at', 'is', null)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  const appOf = ({ settings, id }: (typeof rows)[number]) => (settings as unknown as SlackSettings).app_id ?? id
  return [...Map.groupBy(rows, appOf)].map(([app, group]) => ({
    name: `slack ${app}`,
    revision: group.map(({ id, updated_at }) => `${id} ${updated_at}`).join(),
    open: (signal) => openConnection(context, group, signal),
    onWorking: async () => {
      for (const connection of group) await context.change((tx) => recordReceiving(context, tx, connection))
    },
    onInterruption: async (error, isDown) => {
      for (const connection of group) await recordReceivingFailure(context, connection, error, isDown)
    },
  }))
}

/**
 * Events on the connection wait this long for the import of missed messages, to keep the order. While Slack refuses a
 * third of all calls, reading forty threads takes over a minute.
 */
const HELD_MS = 180_000
/** A failed import is retried while the connection is open. */
const WAITS_MS = [5_000, 15_000, 60_000, 300_000]

/** Imports messages written while disconnected before it handles events of the connection. */
async function openConnection(context: Context, group: ConnectionKey[], signal: AbortSignal): Promise<LiveConnection> {
  const loaded = await Promise.all(group.map(({ account_id, id }) => loadSlack(context, account_id, id)))
  const connected = loaded.flatMap((connection) => connection ?? [])
  const app_token = connected.find(({ credentials }) => credentials.app_token)?.credentials.app_token
  if (!app_token) throw new ConnectionRevoked('Its credentials cannot be decrypted on this server. Connect it again.')
  return openSocket(context, app_token, {
    signal,
    catchUp: async (ended) => {
      await Promise.race([
        Promise.all(connected.map(({ account_id, id }) => readMissed(context, { account_id, id }, ended))),
        sleep(HELD_MS, undefined, { signal: ended, ref: false }).catch(() => undefined),
      ])
    },
  })
}

/** A channel that cannot be read does not delay the others. */
async function readMissed(context: Context, key: ConnectionKey, ended: AbortSignal): Promise<void> {
  for (let tries = 0; !ended.aborted; tries++) {
    const asked_at = new Date()
    try {
      // Loaded each time: the position may have moved on since the connection was opened.
      const slack = await loadSlack(context, key.account_id, key.id)
      if (!slack) return
      await catchUp(context, slack)
      await context.change((tx) => recordWorking(tx, key, asked_at))
      return
    } catch (error) {
      context.log.info({ err: error, authorization_id: key.id }, 'Missed Slack messages could not be fetched')
      await recordFailure(context, key, error).catch(() => undefined)
      if (error instanceof ConnectionRevoked) return
      const wait = WAITS_MS[Math.min(tries, WAITS_MS.length - 1)]
      await sleep(wait, undefined, { signal: ended, ref: false }).catch(() => undefined)
    }
  }
}
