import { sql } from 'kysely'
import * as z from 'zod/mini'
import type { IntegrationName } from '#contract/connections/integrations.ts'
import type { Context } from '../../../context.ts'
import type { OpenDelivery } from '../../../integration.ts'
import type { Change } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import { writeDeliveries } from '../deliveries/deliveries.ts'
import { lockUnsure, queueOfErased } from '../deliveries/erased.ts'
import { TRY_TIMEOUT_MS } from '../deliveries/send.ts'
import { sendDeliveries } from '../deliveries/sender.ts'
import { listThreads } from '../external-links/external-links.ts'

/** Posts of our bot to remove; of a thread's first post only the text is replaced, because the thread depends on it. */
const PostToDelete = z.object({
  posts: z.array(z.object({ place: z.string(), external_id: z.string(), is_root: z.boolean() })),
})
export type PostToDelete = z.output<typeof PostToDelete>['posts'][number]

/** An erased conversation with a delivery of unknown outcome: its posts are searched for in the other system. */
const EraseSearch = z.object({
  sought: z.object({
    conversation_id: z.string(),
    /** Nothing was sent before this time. */
    since: z.string(),
    /** Its known threads. */
    threads: z.array(z.object({ place: z.string(), thread: z.string() })),
  }),
})
export type EraseSearch = z.output<typeof EraseSearch>['sought']

/** The text of a thread's first post from then on. */
export const ERASED = 'This conversation was erased.'
/** A channel accepts about one call a second, and one try must not take long. */
const AT_ONCE = 20
/** A call may still be in progress after its try was given up. */
const CALL_MS = 60_000

interface Mirrored extends PostToDelete {
  authorization_id: string
  integration: IntegrationName
  conversation_id: string
}

/**
 * Plans the removal of our bot's posts from mirrors, for these conversations or those of these customers, as deliveries,
 * which are retried until they succeed. Call it while the conversations still exist. What people posted there themselves
 * is not touched.
 */
export async function deleteMirroredPosts(
  context: Pick<Context, 'jobs' | 'integrations'>,
  tx: Change,
  account_id: string,
  by: 'id' | 'customer_id',
  chosen_ids: string[],
): Promise<void> {
  // From here on nothing new may be sent.
  const conversations = await ofAccount(tx.db, account_id)
    .selectFrom('conversations')
    .select('id')
    .where(by, 'in', chosen_ids)
    .orderBy('id')
    .forUpdate()
    .execute()
  const ids = conversations.map(({ id }) => id)
  const sought = await planSearches(context, tx, account_id, ids)
  const mirrored = await listMirrored(tx, account_id, ids)
  const accounts = await writeDeliveries(tx, [
    ...planDeletions(mirrored).map((delivery) => ({ account_id, ...delivery })),
    ...sought.map((delivery) => ({ account_id, ...delivery })),
  ])
  if (accounts.length > 0) await context.jobs.enqueue(tx.db, sendDeliveries, { account_id })
}

/** Includes first posts of threads, and posts whose removal is pending, although their messages may be deleted. */
async function listMirrored({ db }: Change, account_id: string, conversation_ids: string[]): Promise<Mirrored[]> {
  const { rows } = await sql<Mirrored>`
    select distinct t.authorization_id, a.integration, t.conversation_id, e.place, e.external_id, e.external_id = t.thread as is_root
    from external_threads t
      join authorizations a on a.account_id = t.account_id and a.id = t.authorization_id and a.removed_at is null
      join external_messages e on e.account_id = t.account_id and e.authorization_id = t.authorization_id and e.place = t.place
        and e.direction = 'out' and (e.external_id = t.thread
          or exists (select from messages m
            where m.account_id = e.account_id and m.id = e.message_id and m.conversation_id = t.conversation_id)
          or exists (select from deliveries d
            where d.account_id = e.account_id and d.message_id = e.message_id and d.conversation_id = t.conversation_id
              and d.kind = 'remove' and d.state in ('waiting', 'failed')))
    where t.account_id = ${account_id} and t.role = 'mirror' and t.conversation_id = any (${conversation_ids}::uuid[])
    order by t.conversation_id, is_root desc, e.external_id`.execute(db)
  return rows
}

function planDeletions(mirrored: Mirrored[]) {
  const groups = Map.groupBy(
    mirrored,
    ({ authorization_id, conversation_id }) => `${authorization_id} ${conversation_id}`,
  )
  return [...groups.values()].flatMap((group) => {
    const { authorization_id, integration, conversation_id } = group[0]!
    return Array.from({ length: Math.ceil(group.length / AT_ONCE) }, (_, part) => ({
      authorization_id,
      integration,
      kind: 'remove' as const,
      queue: queueOfErased(conversation_id),
      version: `erased ${conversation_id} ${part}`,
      payload: {
        posts: group
          .slice(part * AT_ONCE, (part + 1) * AT_ONCE)
          .map(({ place, external_id, is_root }) => ({ place, external_id, is_root })),
      },
    }))
  })
}

/**
 * For a delivery in progress, or with a lost answer, the external id is still unknown. So the post is searched for
 * after the try has ended: its server reports the end, unless it died.
 */
async function planSearches(
  { integrations }: Pick<Context, 'integrations'>,
  tx: Change,
  account_id: string,
  conversation_ids: string[],
) {
  const unsure = (await lockUnsure(tx, account_id, conversation_ids)).filter(
    ({ integration }) => integrations.get(integration)?.role === 'mirror',
  )
  if (unsure.length === 0) return []
  const threads = await listThreads(tx.db, account_id, conversation_ids)
  const groups = Map.groupBy(
    unsure,
    ({ authorization_id, conversation_id }) => `${authorization_id} ${conversation_id}`,
  )
  return [...groups.values()].map((group) => {
    const { authorization_id, integration, conversation_id, created_at } = group[0]!
    const own = threads.filter(
      (thread) => thread.authorization_id === authorization_id && thread.conversation_id === conversation_id,
    )
    const isUnderWay = group.some(({ is_under_way }) => is_under_way)
    const sought: EraseSearch = {
      conversation_id,
      since: created_at,
      threads: own.map(({ place, thread }) => ({ place, thread })),
    }
    return {
      authorization_id,
      integration,
      kind: 'remove' as const,
      queue: queueOfErased(conversation_id),
      version: `erased ${conversation_id} sought`,
      payload: { sought },
      ...(isUnderWay && { not_before: new Date(Date.now() + TRY_TIMEOUT_MS + CALL_MS) }),
    }
  })
}

/** The posts that a delivery removes; undefined for any other delivery. */
export function readPostsToDelete({
  kind,
  payload,
}: Pick<OpenDelivery, 'kind' | 'payload'>): PostToDelete[] | undefined {
  const read = z.safeParse(PostToDelete, payload)
  return kind === 'remove' && read.success ? read.data.posts : undefined
}

/** The conversation whose posts a delivery searches for and removes; undefined for any other delivery. */
export function readEraseSearch({ kind, payload }: Pick<OpenDelivery, 'kind' | 'payload'>): EraseSearch | undefined {
  const read = z.safeParse(EraseSearch, payload)
  return kind === 'remove' && read.success ? read.data.sought : undefined
}
