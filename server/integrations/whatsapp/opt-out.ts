import type { Context } from '../../context.ts'
import { setUnsubscribed } from '../../features/connections/external-links/identities.ts'
import { type OptOutChannel, OVER_WHATSAPP, recordOptOut } from '../../features/connections/opt-out/opt-out.ts'
import { readOptOut } from '../../features/connections/opt-out/opt-out-words.ts'
import type { Change } from '../../platform/db/change.ts'
import { idsOf } from './person.ts'
import type { Person } from './receive-call.ts'
import { UNSUBSCRIBED } from './refusals.ts'

export const WHATSAPP: OptOutChannel = { ...OVER_WHATSAPP, integration: 'whatsapp', refusal: UNSUBSCRIBED }

interface Written {
  customer_id: string
  conversation_id: string
  message_id: string
}

/** Reads STOP and START in a message, and marks all identities of its sender. */
export async function applyOptOut(
  context: Context,
  tx: Change,
  account_id: string,
  person: Person,
  body: string,
  written: Written,
): Promise<void> {
  const request = readOptOut(body)
  const [first, ...others] = idsOf(person)
  if (!request || !first) return
  await recordOptOut(context, tx, account_id, WHATSAPP, { external_id: first, ...written }, request)
  if (request === 'maybe stop') return
  const since = request === 'stop' ? new Date().toISOString() : null
  for (const id of others) await setUnsubscribed(tx, account_id, 'whatsapp', id, since)
}
