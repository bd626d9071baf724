import type { Config } from '../../../config.ts'
import type { Caller } from '../../../platform/caller.ts'
import { consume, type Limit, type Limits } from '../../../platform/limits/limits.ts'
import { networkOf } from '../../../platform/limits/network.ts'

const MB = 1_000_000
const HOUR = 3600
/** In bytes. */
const NETWORK: Limit = { capacity: 32 * MB, perSecond: (200 * MB) / HOUR }
const VISITOR: Limit = { capacity: 32 * MB, perSecond: (100 * MB) / HOUR }
const USER: Limit = { capacity: 500 * MB, perSecond: (1_000 * MB) / HOUR }
/** Limit for all visitors and unauthenticated callers of one account together. */
const ANONYMOUS: Limit = { capacity: 200 * MB, perSecond: (500 * MB) / HOUR }

/** Whether the operator allows an account to attach files. */
export function mayUpload({ fileUploads }: Pick<Config, 'fileUploads'>, account_id: string): boolean {
  return Array.isArray(fileUploads) ? fileUploads.includes(account_id) : fileUploads !== 'none'
}

/**
 * Takes the bytes of an upload from the caller's limit.
 * @throws TooMany
 */
export async function consumeUpload(limits: Limits, caller: Caller, bytes: number): Promise<void> {
  if (caller.kind === 'user') return consume(limits, `upload-by-user:${caller.user_id}`, USER, bytes)
  await consume(limits, `upload-from:${networkOf(caller.address)}`, NETWORK, bytes)
  if (caller.kind !== 'visitor') return
  await consume(limits, `upload-by:${caller.customer_id}`, VISITOR, bytes)
  await consumeForAccount(limits, caller.account_id, bytes)
}

/**
 * The same from the common limit of unauthenticated callers, whose account is only known once the form was parsed.
 * @throws TooMany
 */
export async function consumeForAccount(limits: Limits, account_id: string, bytes: number): Promise<void> {
  await consume(limits, `upload-to:${account_id}`, ANONYMOUS, bytes)
}
