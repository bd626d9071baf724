import { randomBytes } from 'node:crypto'
import { Invalid, NotSignedIn, Refusal } from '../../../errors.ts'
import { contextIn, type EncryptedColumn } from '../../../platform/crypto/encrypted-columns.ts'
import { decryptIfPossible, type Keyring } from '../../../platform/crypto/keyring.ts'
import type { Change, Db } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import { hashToken } from '../../../platform/secrets.ts'
import { newTotpSecret, stepOfCode, totpUri } from './totp.ts'

const RECOVERY_CODES = 10

interface Owner {
  account_id: string
  user_id: number
}

export const twoFactorSecrets: EncryptedColumn = { table: 'two_factors', column: 'secret', row: 'user_id' }

function contextOf({ account_id, user_id }: Owner) {
  return contextIn(twoFactorSecrets, account_id, user_id)
}

/** Whether a user has enabled a second factor. */
export async function readTwoFactor(db: Db, owner: Owner): Promise<{ is_on: boolean; recovery_codes_left: number }> {
  const factor = await select(db, owner).executeTakeFirst()
  return {
    is_on: !!factor?.confirmed_at,
    recovery_codes_left: factor?.confirmed_at ? factor.recovery_hashes.length : 0,
  }
}

/** Creates a secret for an authenticator app. An enabled factor stays enabled until it is turned off. */
export async function startTwoFactor(
  { db }: Change,
  keys: Keyring,
  { email, ...owner }: Owner & { email: string },
): Promise<{ secret: string; uri: string }> {
  if ((await readTwoFactor(db, owner)).is_on) throw new Invalid({ two_factor: ['is already on'] })
  const secret = newTotpSecret()
  const encrypted = keys.encrypt(contextOf(owner), secret)
  await db
    .insertInto('two_factors')
    .values({ ...owner, secret: encrypted })
    .onConflict((conflict) =>
      conflict.columns(['account_id', 'user_id']).doUpdateSet({ secret: encrypted, last_step: 0 }),
    )
    .execute()
  return { secret, uri: totpUri(secret, email) }
}

/** Enables it with the first correct code. Returns recovery codes for a lost phone. */
export async function confirmTwoFactor(change: Change, keys: Keyring, owner: Owner, code: string): Promise<string[]> {
  const factor = await select(change.db, owner).forUpdate().executeTakeFirst()
  if (!factor || factor.confirmed_at) throw new Invalid({ two_factor: ['has not been started'] })
  const step = findStep(keys, owner, factor.secret, code)
  if (step === undefined) throw new Invalid({ code: ['is invalid'] })
  const recovery_codes = Array.from({ length: RECOVERY_CODES }, newRecoveryCode)
  await save(change, owner, {
    confirmed_at: new Date().toISOString(),
    last_step: step,
    recovery_hashes: recovery_codes.map(hashToken),
  })
  return recovery_codes
}

export async function removeTwoFactor({ db }: Change, { account_id, user_id }: Owner): Promise<void> {
  await ofAccount(db, account_id).deleteFrom('two_factors').where('user_id', '=', user_id).execute()
}

/**
 * Checks the second step after a correct password, unless the user has no second factor. A code works once, so one that
 * was watched is useless.
 * @throws Refusal with the reason `two_factor_required`, or NotSignedIn
 */
export async function checkTwoFactor(
  change: Change,
  keys: Keyring,
  owner: Owner,
  code: string | null | undefined,
): Promise<void> {
  const factor = await select(change.db, owner).forUpdate().executeTakeFirst()
  if (!factor?.confirmed_at) return
  if (!code) throw new Refusal(401, 'Enter the code from your authenticator app.', 'two_factor_required')
  const step = findStep(keys, owner, factor.secret, code)
  if (step !== undefined && step > Number(factor.last_step)) return save(change, owner, { last_step: step })
  const hash = hashToken(code.trim().toLowerCase())
  const remaining = factor.recovery_hashes.filter((other) => !hash.equals(other))
  if (remaining.length === factor.recovery_hashes.length) throw new NotSignedIn('Invalid code')
  await save(change, owner, { recovery_hashes: remaining })
}

/**
 * The time step of a code; undefined if it is wrong, or the secret cannot be decrypted, so that only recovery codes
 * work.
 */
function findStep(keys: Keyring, owner: Owner, encrypted: Buffer, code: string): number | undefined {
  const secret = decryptIfPossible(keys, contextOf(owner), encrypted)
  return secret === undefined ? undefined : stepOfCode(secret, code, Date.now())
}

function select(db: Db, { account_id, user_id }: Owner) {
  return ofAccount(db, account_id)
    .selectFrom('two_factors')
    .select(['secret', 'confirmed_at', 'last_step', 'recovery_hashes'])
    .where('user_id', '=', user_id)
}

async function save(
  { db }: Change,
  { account_id, user_id }: Owner,
  values: { confirmed_at?: string; last_step?: number; recovery_hashes?: Buffer[] },
): Promise<void> {
  await ofAccount(db, account_id).updateTable('two_factors').set(values).where('user_id', '=', user_id).execute()
}

/** Such as `k3f9-x2ma`. */
function newRecoveryCode(): string {
  const letters = [...randomBytes(8)].map((byte) => 'abcdefghjkmnpqrstuvwxyz23456789'[byte % 31]).join('')
  return `${letters.slice(0, 4)}-${letters.slice(4)}`
}
