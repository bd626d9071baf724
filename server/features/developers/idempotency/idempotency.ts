import { createHash } from 'node:crypto'
import type { Context } from '../../../context.ts'
import { Refusal, Unacceptable } from '../../../errors.ts'
import type { User } from '../../../platform/caller.ts'
import { contextIn, type EncryptedColumn } from '../../../platform/crypto/encrypted-columns.ts'
import { decryptIfPossible } from '../../../platform/crypto/keyring.ts'
import type { Change, Db } from '../../../platform/db/change.ts'
import { acrossAccounts, ofAccount } from '../../../platform/db/of-account.ts'
import type { Repeatable, StoredResponse } from '../../../platform/http/repeats.ts'
import { newId } from '../../../platform/secrets.ts'

export const storedAnswers: EncryptedColumn = { table: 'idempotent_requests', column: 'answer', row: 'id' }

const DAY_MS = 86_400_000

/**
 * Carries a request out once, however often it comes with the same key. A refused request changed nothing, so its key
 * is released and it may come again. After an internal error the result is unknown, as when the answer to a commit is
 * lost: its key stays taken.
 * @throws Unacceptable if the key was used for another request; Refusal while the first one is still running
 */
export async function answerOnce(
  context: Context,
  caller: User,
  request: Repeatable,
  work: () => Promise<StoredResponse>,
): Promise<StoredResponse> {
  const { account_id, user_id } = caller
  const who = caller.api_key ? `key ${caller.api_key.id}` : `user ${user_id}`
  const row = {
    account_id,
    id: newId(),
    user_id,
    key_hash: hash(who, request.key),
    request_hash: hash(...request.content),
  }
  const { numInsertedOrUpdatedRows: inserted } = await context.db
    .insertInto('idempotent_requests')
    .values(row)
    .onConflict((conflict) => conflict.columns(['account_id', 'key_hash']).doNothing())
    .executeTakeFirst()
  if (!inserted) return repeat(context, row)
  const answered = await work().catch(async (error) => {
    if (error instanceof Refusal) await removeRequest(context.db, row)
    throw error
  })
  await keep(context, row, answered)
  return answered
}

interface RequestRow {
  account_id: string
  id: string
  key_hash: Buffer
  request_hash: Buffer
}

async function repeat(
  { db, keys }: Context,
  { account_id, key_hash, request_hash }: RequestRow,
): Promise<StoredResponse> {
  const first = await ofAccount(db, account_id)
    .selectFrom('idempotent_requests')
    .select(['id', 'request_hash', 'status', 'answer'])
    .where('key_hash', '=', key_hash)
    .executeTakeFirst()
  if (first && !first.request_hash.equals(request_hash)) {
    throw new Unacceptable('This idempotency key was used for another request. Choose a new key for each request.')
  }
  if (!first?.status) throw new Refusal(409, AT_WORK, 'request_at_work')
  const text = first.answer && decryptIfPossible(keys, contextIn(storedAnswers, account_id, first.id), first.answer)
  if (!text) throw new Refusal(409, FORGOTTEN, 'answer_forgotten')
  return JSON.parse(text)
}

const AT_WORK =
  'A request with this idempotency key was started and has not ended. Try again in a moment. If this persists, the server stopped meanwhile: check whether the request was carried out, then use a new key.'
const FORGOTTEN =
  'This request was carried out, but its response was deleted when a customer was erased. Fetch the current data.'

async function keep({ db, keys }: Context, { account_id, id }: RequestRow, answered: StoredResponse): Promise<void> {
  const answer = keys.encrypt(contextIn(storedAnswers, account_id, id), JSON.stringify(answered))
  await ofAccount(db, account_id)
    .updateTable('idempotent_requests')
    .set({ status: answered.status, answer })
    .where('id', '=', id)
    .execute()
}

async function removeRequest(db: Db, { account_id, id }: RequestRow): Promise<void> {
  await ofAccount(db, account_id).deleteFrom('idempotent_requests').where('id', '=', id).execute()
}

/** Deletes stored responses to an account's programs, which may contain messages of an erased customer. */
export async function deleteAnswersOf({ db }: Change, account_id: string): Promise<void> {
  await ofAccount(db, account_id).updateTable('idempotent_requests').set({ answer: null }).execute()
}

/** Keys are valid for a day. */
export async function pruneRequests(db: Db): Promise<void> {
  const before = new Date(Date.now() - DAY_MS).toISOString()
  await acrossAccounts(db, 'looks after all accounts at once')
    .deleteFrom('idempotent_requests')
    .where('created_at', '<', before)
    .execute()
}

function hash(...parts: (string | Buffer)[]): Buffer {
  const sum = createHash('sha256')
  for (const part of parts) sum.update(createHash('sha256').update(part).digest())
  return sum.digest()
}
