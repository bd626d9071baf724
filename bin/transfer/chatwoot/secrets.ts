import { twoFactorSecrets } from '#server/features/accounts/auth-sessions/two-factor.ts'
import { identitySecrets } from '#server/features/customers/signed-identity/secrets.ts'
import { contextIn } from '#server/platform/crypto/encrypted-columns.ts'
import type { Step } from '../moving-in/reader.ts'
import { createDecryption, readEncryptionSettings } from './active-record.ts'
import { newId } from './expressions.ts'

/** Of an authenticator app: Base32. */
const TOTP_SECRET = /^[A-Z2-7]{16,128}=*$/i

/**
 * Moves second factors of people who have not signed in here yet: later it is theirs to keep or to remove. One that cannot be read is left out and named: with an unreadable secret nobody could sign in.
 * Backup codes stay behind, because they are too short for the way ours are stored.
 */
export async function addTwoFactors({ client, keys }: Step): Promise<void> {
  const decrypt = createDecryption(readEncryptionSettings(process.env))
  const { rows } = await client.query<{
    account_id: string
    id: number
    email: string
    secret: string | null
    step: number
  }>(
    `select u.account_id, u.id, u.email, o.otp_secret as secret, coalesce(o.consumed_timestep, 0) as step
     from people p join users u on u.account_id = p.account_id and u.id = p.id join old_users o on o.id = p.user_id
     where p.is_member and o.otp_required_for_login and u.password_hash like '$2%' order by u.id`,
  )
  for (const { account_id, id, email, secret, step } of rows) {
    const plain = secret ? decrypt(secret)?.trim() : undefined
    if (plain && TOTP_SECRET.test(plain)) {
      await client.query(
        `insert into two_factors (account_id, user_id, secret, confirmed_at, last_step) values ($1, $2, $3, now(), $4) on conflict do nothing`,
        [account_id, id, keys.encrypt(contextIn(twoFactorSecrets, account_id, id), plain), step],
      )
    } else {
      await client.query(`insert into remarks (line) values ($1)`, [
        `The second factor of ${email} could not be read, so they sign in with their password alone. To move it, run the import with the old server’s ACTIVE_RECORD_ENCRYPTION_PRIMARY_KEY, ACTIVE_RECORD_ENCRYPTION_DETERMINISTIC_KEY and ACTIVE_RECORD_ENCRYPTION_KEY_DERIVATION_SALT in the environment; or let them set up a new one.`,
      ])
    }
  }
}

/**
 * Moves the secrets with which websites vouch for their visitors, where they were in use and the inbox is new: one that
 * was removed here must not come back. The website signs a token with
 * it from now on, instead of a bare hash that never expires.
 */
export async function addIdentitySecrets({ client, keys }: Step): Promise<void> {
  const { rows } = await client.query<{
    account_id: string
    inbox_id: string
    id: string
    name: string
    secret: string
  }>(
    `select i.account_id, i.id as inbox_id, ${newId('identity secrets', 'o.id')} as id, i.name, w.hmac_token as secret
     from old_inboxes o join moved_accounts a on a.id = o.account_id
     join inboxes i on i.account_id = a.account_id and i.id = ${newId('inboxes', 'o.id')}
     join old_channel_web_widgets w on o.channel_type = 'Channel::WebWidget' and w.id = o.channel_id
     where w.hmac_token <> '' and (w.hmac_mandatory
       or exists (select from old_contact_inboxes c where c.inbox_id = o.id and c.hmac_verified))
       and i.id not in (select id from earlier_inboxes) order by o.id`,
  )
  for (const { account_id, inbox_id, id, name, secret } of rows) {
    const sealed = keys.encrypt(contextIn(identitySecrets, account_id, id), secret)
    await client.query(
      `insert into identity_secrets (account_id, id, inbox_id, sealed, hint) values ($1, $2, $3, $4, $5) on conflict do nothing`,
      [account_id, id, inbox_id, sealed, secret.slice(-4)],
    )
    await client.query(`insert into remarks (line) values ($1)`, [
      `The website of the inbox “${name}” vouched for its visitors by a hash. Have it sign a token with the same secret instead: see “Signed identity” in docs/widget.md.`,
    ])
  }
}
