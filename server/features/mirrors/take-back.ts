import { sql } from 'kysely'
import * as z from 'zod/mini'
import type { IntegrationName } from '#contract/integrations.ts'
import type { Context } from '../../context.ts'
import type { OpenDelivery } from '../../integration.ts'
import type { Change } from '../../platform/db/change.ts'
import { writeDeliveries } from '../deliveries/deliveries.ts'
import { sendDeliveries } from '../deliveries/sender.ts'

/** What our bot wrote and is to take back; of the first post of a thread only the words go, because everything else hangs on it. */
const TakenBack = z.object({
  posts: z.array(z.object({ place: z.string(), external_id: z.string(), is_root: z.boolean() })),
})
export type TakenBack = z.output<typeof TakenBack>['posts'][number]

/** What the first post of a thread says from then on. */
export const ERASED = 'This conversation was erased.'
/** A channel takes about one call a second, and one try may not take long. */
const AT_ONCE = 20

interface Mirrored extends TakenBack {
  authorization_id: string
  integration: IntegrationName
  conversation_id: string
}

/**
 * Takes back at mirrors what our bot wrote of these customers' conversations, by deliveries, which are tried until it is done. To be
 * called while the conversations are still there. What people wrote there themselves is theirs.
 */
export async function takeBackMirrored(
  { jobs }: Pick<Context, 'jobs'>,
  open: Change,
  account_id: string,
  customer_ids: string[],
): Promise<void> {
  const { rows } = await sql<Mirrored>`
    select e.authorization_id, a.integration, c.id as conversation_id, e.place, e.external_id, e.external_id = t.thread as is_root
    from conversations c
      join external_threads t on t.account_id = c.account_id and t.conversation_id = c.id and t.role = 'mirror'
      join authorizations a on a.account_id = t.account_id and a.id = t.authorization_id and a.removed_at is null
      join messages m on m.account_id = c.account_id and m.conversation_id = c.id
      join external_messages e on e.account_id = m.account_id and e.message_id = m.id
        and e.authorization_id = t.authorization_id and e.place = t.place and e.direction = 'out'
    where c.account_id = ${account_id} and c.customer_id = any (${customer_ids}::uuid[])
    order by c.id, m.number`.execute(open.db)
  const groups = Map.groupBy(rows, ({ authorization_id, conversation_id }) => `${authorization_id} ${conversation_id}`)
  const wanted = [...groups.values()].flatMap((group) => {
    const { authorization_id, integration, conversation_id } = group[0]!
    return Array.from({ length: Math.ceil(group.length / AT_ONCE) }, (_, part) => ({
      account_id,
      authorization_id,
      integration,
      kind: 'remove' as const,
      queue: `erased ${conversation_id}`,
      version: `erased ${conversation_id} ${part}`,
      payload: {
        posts: group
          .slice(part * AT_ONCE, (part + 1) * AT_ONCE)
          .map(({ place, external_id, is_root }) => ({ place, external_id, is_root })),
      },
    }))
  })
  const accounts = await writeDeliveries(open, wanted)
  if (accounts.length > 0) await jobs.enqueue(open.db, sendDeliveries, { account_id })
}

/** The posts that a delivery takes back; undefined for any other delivery. */
export function readTakenBack({ kind, payload }: Pick<OpenDelivery, 'kind' | 'payload'>): TakenBack[] | undefined {
  const read = z.safeParse(TakenBack, payload)
  return kind === 'remove' && read.success ? read.data.posts : undefined
}
