import { createHmac, timingSafeEqual } from 'node:crypto'
import * as z from 'zod/mini'
import { isId } from '#contract/wire.ts'
import type { Context } from '../../context.ts'
import { findByAddress } from '../../features/connections/authorizations/authorizations.ts'
import { storeInbound } from '../../features/connections/inbound/store-event.ts'
import type { SignatureScheme } from '../../platform/http/signatures.ts'
import { appOfServer, findGithubApp } from './app.ts'
import type { InstallationNews } from './incoming.ts'
import { storeNews } from './polling.ts'

/** How GitHub signs: with the app's secret, or with that of an account named in the address. */
export function githubSignature(context: Context): SignatureScheme {
  return {
    async verify({ headers, url }, rawBody) {
      const account_id = new URL(url, 'http://parley').searchParams.get('account') ?? undefined
      if (account_id !== undefined && !isId(account_id)) return false
      const app = account_id ? await findGithubApp(context, account_id) : appOfServer(context)
      if (!app?.webhook_secret || (account_id && app.owner !== 'account')) return false
      const received = Buffer.from(String(headers['x-hub-signature-256'] ?? ''))
      const expected = Buffer.from(`sha256=${createHmac('sha256', app.webhook_secret).update(rawBody).digest('hex')}`)
      return received.length === expected.length && timingSafeEqual(received, expected)
    },
  }
}

const Event = z.object({
  action: z.optional(z.string()),
  installation: z.optional(z.object({ id: z.int() })),
  issue: z.optional(
    z.object({ number: z.int(), state: z.enum(['open', 'closed']), updated_at: z.string(), title: z.string() }),
  ),
  repository: z.optional(z.object({ name: z.string(), owner: z.object({ login: z.string() }) })),
})

/** What is stored of events about an installation. */
const INSTALLATION_NEWS: Record<string, InstallationNews> = {
  deleted: { uninstalled: true },
  suspend: { suspension: 'begun' },
  unsuspend: { suspension: 'over' },
}

interface Delivered {
  /** The event's id, the same when it is sent again. */
  id: string
  type: string
  /** The account whose app signed it, if it is not the server's. */
  account_id: string | undefined
}

/**
 * Stores an event before it is acknowledged. It belongs to whoever installed the app, found by the installation id; an
 * account's own app only sends events for that account.
 */
export async function receiveEvent(
  context: Context,
  { id, type, account_id }: Delivered,
  body: unknown,
): Promise<void> {
  const { success, data: event } = z.safeParse(Event, body)
  if (!success || !event.installation) return
  const authorization = await findByAddress(context.db, 'github', `installation ${event.installation.id}`)
  if (!authorization || (account_id && authorization.account_id !== account_id)) return
  const authorizationKey = { account_id: authorization.account_id, authorization_id: authorization.id }
  await context.change(async (tx) => {
    const payload = type === 'installation' ? INSTALLATION_NEWS[event.action ?? ''] : undefined
    if (payload) {
      await storeInbound(context, tx, {
        ...authorizationKey,
        integration: 'github',
        key: id,
        queue: authorization.id,
        payload,
      })
    }
    const { issue, repository } = event
    if (type !== 'issues' || !issue || !repository || !/^(closed|reopened)$/.test(event.action ?? '')) return
    const { number, state, updated_at } = issue
    const news = { owner: repository.owner.login, repo: repository.name, number, state, updated_at }
    await storeNews(context, tx, authorizationKey, news)
  })
}
