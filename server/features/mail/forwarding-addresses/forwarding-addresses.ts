import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { ForwardingAddress, ForwardingAddressDraft } from '#contract/mail/forwarding-addresses.ts'
import type { Config } from '../../../config.ts'
import { Invalid, NotFound, Unacceptable } from '../../../errors.ts'
import type { Change, Db } from '../../../platform/db/change.ts'
import { acrossAccounts, ofAccount } from '../../../platform/db/of-account.ts'
import { toJson } from '../../../platform/db/to-json.ts'
import { toBase32 } from '../../../platform/mail/signed-marks.ts'
import { newId } from '../../../platform/secrets.ts'
import { chooseInbox } from '../../widget/inboxes/inboxes.ts'
import { ownAddress } from '../conversation-mails/own-addresses.ts'

const columns = [
  'id',
  'account_id',
  'inbox_id',
  'forwarding_email_address',
  'source_email_address',
  'description',
  'takes_lists',
  'takes_forms',
  'verified_at',
  'last_in_at',
  'confirmation',
  'created_at',
  'updated_at',
] as const

type ForwardingAddressRow = { [Column in (typeof columns)[number]]: ForwardingAddress[Column] }

function presentForwardingAddress(row: ForwardingAddressRow): ForwardingAddress {
  return { ...row, object: 'forwarding_address', state: row.verified_at ? 'verified' : 'pending' }
}

function select(db: Db, account_id: string) {
  return ofAccount(db, account_id).selectFrom('forwarding_addresses').select(columns).$castTo<ForwardingAddressRow>()
}

/** The addresses of an account, or of one inbox, newest first. */
export async function listForwardingAddresses(
  db: Db,
  account_id: string,
  inbox_id?: string,
): Promise<ForwardingAddress[]> {
  const inbox = inbox_id ? await chooseInbox(db, account_id, inbox_id) : undefined
  const primary = inbox && (await chooseInbox(db, account_id, undefined))
  const rows = await select(db, account_id)
    .$if(!!inbox_id, (query) =>
      query.where((eb) =>
        eb.or([eb('inbox_id', '=', inbox_id!), ...(primary?.id === inbox_id ? [eb('inbox_id', 'is', null)] : [])]),
      ),
    )
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute()
  return rows.map(presentForwardingAddress)
}

export async function getForwardingAddress(db: Db, account_id: string, id: string): Promise<ForwardingAddress> {
  const row = await select(db, account_id).where('id', '=', id).executeTakeFirst()
  if (!row) throw new NotFound()
  return presentForwardingAddress(row)
}

/** @throws Unacceptable if the installation cannot receive mail */
export async function createForwardingAddress(
  config: Config,
  { db }: Change,
  account_id: string,
  {
    source_email_address,
    description = null,
    inbox_id = null,
    takes_lists = false,
    takes_forms = false,
  }: ForwardingAddressDraft,
): Promise<ForwardingAddress> {
  await assertInboxExists(db, account_id, inbox_id)
  const address = ownAddress(config, toBase32(randomBytes(20)))
  if (!address) {
    throw new Unacceptable(
      'This installation cannot receive mail yet. Its operator has to set MAIL_IN_DOMAIN or MAIL_IN_ADDRESS.',
    )
  }
  const row = await db
    .insertInto('forwarding_addresses')
    .values({
      account_id,
      id: newId(),
      inbox_id,
      forwarding_email_address: address,
      source_email_address,
      description,
      takes_lists,
      takes_forms,
    })
    .returning(columns)
    .$castTo<ForwardingAddressRow>()
    .executeTakeFirstOrThrow()
  return presentForwardingAddress(row)
}

export async function updateForwardingAddress(
  { db }: Change,
  account_id: string,
  id: string,
  changes: Partial<ForwardingAddressDraft>,
): Promise<ForwardingAddress> {
  const before = await getForwardingAddress(db, account_id, id)
  await assertInboxExists(db, account_id, changes.inbox_id)
  const { source_email_address: source = before.source_email_address } = changes
  const isMoved = source.toLowerCase() !== before.source_email_address.toLowerCase()
  const row = await ofAccount(db, account_id)
    .updateTable('forwarding_addresses')
    .set({
      ...changes,
      ...(isMoved && { verified_at: null, confirmation: null }),
      updated_at: new Date().toISOString(),
    })
    .where('id', '=', id)
    .returning(columns)
    .$castTo<ForwardingAddressRow>()
    .executeTakeFirst()
  if (!row) throw new NotFound()
  return presentForwardingAddress(row)
}

export async function deleteForwardingAddress(
  { db }: Change,
  account_id: string,
  id: string,
): Promise<ForwardingAddress> {
  const row = await ofAccount(db, account_id)
    .deleteFrom('forwarding_addresses')
    .where('id', '=', id)
    .returning(columns)
    .$castTo<ForwardingAddressRow>()
    .executeTakeFirst()
  if (!row) throw new NotFound()
  return presentForwardingAddress(row)
}

/** The forwarding address with this address. It is all that a mail contains, and unique in the installation. */
export async function findByAddress(db: Db, address: string): Promise<ForwardingAddress | undefined> {
  const row = await acrossAccounts(db, 'a mail tells nothing but the address, which is unique in the installation')
    .selectFrom('forwarding_addresses')
    .select(columns)
    .where('forwarding_email_address', '=', address.toLowerCase())
    .$castTo<ForwardingAddressRow>()
    .executeTakeFirst()
  return row && presentForwardingAddress(row)
}

/** Records a received mail, and what it proves or asks. */
export async function recordArrival(
  { db }: Change,
  { account_id, id }: Pick<ForwardingAddress, 'account_id' | 'id'>,
  { isVerified = false, confirmation }: { isVerified?: boolean; confirmation?: ForwardingAddress['confirmation'] },
): Promise<void> {
  const now = new Date().toISOString()
  await ofAccount(db, account_id)
    .updateTable('forwarding_addresses')
    .set({
      last_in_at: now,
      ...(isVerified && { verified_at: sql<string>`coalesce(verified_at, ${now})`, confirmation: null }),
      ...(confirmation && { confirmation: toJson(confirmation) }),
    })
    .where('id', '=', id)
    .execute()
}

async function assertInboxExists(db: Db, account_id: string, inbox_id: string | null | undefined): Promise<void> {
  if (inbox_id && !(await chooseInbox(db, account_id, inbox_id))) throw new Invalid({ inbox_id: ['does not exist'] })
}
