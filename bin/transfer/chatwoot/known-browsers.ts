import { importSecrets } from '#server/features/accounts/accounts/import-secrets.ts'
import { BROWSER_KEY, preparedToken, verificationKey } from '#server/features/customers/customers/known-browsers.ts'
import { contextIn } from '#server/platform/crypto/encrypted-columns.ts'
import { hashToken } from '#server/platform/secrets.ts'
import type { Step } from '../moving-in/reader.ts'
import { rowsOf } from '../moving-in/work-list.ts'
import { newId } from './expressions.ts'

interface Browser {
  account_id: string
  customer_id: string
  id: string
  inbox_id: string
  source_id: string
}

/**
 * The browsers that may go on as their customers. Chatwoot joined contacts by addresses that visitors typed, so behind one
 * contact may be several strangers, and here a customer's browser sees all of their conversations: only browsers that the
 * website vouched for, and those of contacts that were never seen anywhere else.
 */
const BROWSERS = `
select k.account_id, c.id as customer_id, ${newId('browsers', 'o.id')} as id, o.inbox_id, o.source_id
from old_contact_inboxes o
join old_inboxes i on i.id = o.inbox_id and i.channel_type = 'Channel::WebWidget'
join people_outside k on k.id = o.contact_id and k.account = i.account_id
join customers s on s.account_id = k.account_id and s.id = k.customer_id
join customers c on c.account_id = k.account_id and c.id = coalesce(s.merged_into, s.id)
where btrim(o.source_id) <> '' and c.deleted_at is null
  and (o.hmac_verified or (select count(*) from old_contact_inboxes x where x.contact_id = o.contact_id) = 1)
order by o.id`

const ADVICE = 'see “Known browsers” in docs/moving-in-from-chatwoot.md'

/**
 * Prepares a session for each browser that may stay known, which it takes over by the signed token that Chatwoot left in
 * it. Without the secret that signed these tokens nobody could tell them from forged ones, so all browsers begin anew.
 */
export async function prepareKnownBrowsers({ client, keys }: Step): Promise<void> {
  const say = (line: string) => client.query('insert into remarks (line) values ($1)', [line])
  const { rows: chats } = await client.query(
    `select from old_inboxes i join moved_accounts a on a.id = i.account_id where i.channel_type = 'Channel::WebWidget' limit 1`,
  )
  if (chats.length === 0) return
  // The old server's secret, which signed the tokens in browsers.
  const secret = process.env.SECRET_KEY_BASE
  if (!secret) {
    await say(
      `Visitors begin anew in their browsers: what they wrote before is in their profiles. To let them go on, run the import with the old server’s SECRET_KEY_BASE in the environment; ${ADVICE}.`,
    )
    return
  }
  const key = verificationKey(secret)
  const { rows: accounts } = await client.query<{ id: string }>(
    'select id from accounts where id in (select account_id from moved_accounts)',
  )
  for (const { id } of accounts) {
    const sealed = keys.encrypt(contextIn(importSecrets, id, BROWSER_KEY), key.toString('base64'))
    await client.query(
      `insert into import_secrets (account_id, product, secret) values ($1, $2, $3)
       on conflict (account_id, product) do update set secret = excluded.secret`,
      [id, BROWSER_KEY, sealed],
    )
  }
  let prepared = 0
  for await (const rows of rowsOf<Browser>(client, BROWSERS)) {
    prepared += rows.length
    const hashes = rows.map(({ inbox_id, source_id }) => hashToken(preparedToken(key, inbox_id, source_id)))
    await client.query(
      `insert into visitor_sessions (account_id, id, customer_id, token_hash)
       select * from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::bytea[]) on conflict do nothing`,
      [...(['account_id', 'id', 'customer_id'] as const).map((name) => rows.map((row) => row[name])), hashes],
    )
  }
  await say(
    `${prepared.toLocaleString('en')} browsers of visitors can go on where they were, by the token that Chatwoot left in them; ${ADVICE}. The others begin anew: behind their contacts may be several people.`,
  )
}
