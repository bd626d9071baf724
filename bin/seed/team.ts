import { createAccount } from '#server/features/accounts/accounts/accounts.ts'
import { hashPassword } from '#server/features/accounts/auth-sessions/passwords.ts'
import { createUser } from '#server/features/accounts/users/users.ts'
import { createInbox } from '#server/features/widget/inboxes/inboxes.ts'
import { type Change, createChange, type Db } from '#server/platform/db/change.ts'
import { toJson } from '#server/platform/db/to-json.ts'
import { type Company, DOMAIN } from './company.ts'
import { idOf } from './seeded-random.ts'

export const SEED_PASSWORD = 'lantern-and-oak'

/** The people of the company; the first ones answer most. */
export const TEAM = [
  { email: `ada@${DOMAIN}`, full_name: 'Ada Marsh', display_name: 'Ada', role: 'admin' },
  { email: `binh@${DOMAIN}`, full_name: 'Bình Nguyễn', display_name: 'Bình', role: 'user' },
  { email: `chloe@${DOMAIN}`, full_name: 'Chloe Adeyemi', display_name: 'Chloe', role: 'user' },
  { email: `jonas@${DOMAIN}`, full_name: 'Jonas Winkel', display_name: 'Jonas', role: 'user' },
  { email: `sofia@${DOMAIN}`, full_name: 'Sofia Rossi', display_name: 'Sofia', role: 'user' },
] as const

const INBOXES = ['Sales', 'Returns', 'Hỗ trợ tiếng Việt']

/**
 * Creates the company with its people and inboxes.
 * @throws Error if it exists
 */
export async function createTeam(db: Db): Promise<Pick<Company, 'account_id' | 'users' | 'inboxes' | 'former'>> {
  const existing = await db.selectFrom('users').select('id').where('email', '=', TEAM[0].email).executeTakeFirst()
  if (existing) throw new Error(`${TEAM[0].email} exists already: seed an empty database, or set another DATA_DIR.`)
  const change = createChange(db, { append: () => async () => [], publish: () => undefined })
  const password_hash = await hashPassword(SEED_PASSWORD)
  return change(async (tx) => {
    const account_id = await createAccount(tx, 'Lumen & Oak', { billing: false })
    const users: Company['users'] = []
    for (const { email, role, ...names } of TEAM) {
      const { id } = await createUser(tx, account_id, { email, role, password_hash })
      await tx.db.updateTable('users').set(names).where('account_id', '=', account_id).where('id', '=', id).execute()
      users.push({ id, name: names.display_name })
    }
    for (const name of INBOXES) await createInbox(tx, account_id, { name })
    await tx.db
      .updateTable('accounts')
      .set({
        time_zone: 'Europe/London',
        working_hours: toJson([{ day: 'weekdays', start_minute: 540, end_minute: 1080 }]),
      })
      .where('id', '=', account_id)
      .execute()
    return { account_id, users, inboxes: await loadInboxes(tx, account_id), former: await addFormer(tx, account_id) }
  })
}

async function loadInboxes({ db }: Change, account_id: string): Promise<Company['inboxes']> {
  const rows = await db
    .selectFrom('inboxes')
    .select(['id', 'name', 'is_primary'])
    .where('account_id', '=', account_id)
    .execute()
  const order = ({ name, is_primary }: { name: string; is_primary: boolean }) =>
    is_primary ? -1 : INBOXES.indexOf(name)
  rows.sort((a, b) => order(a) - order(b))
  return rows.map(({ id, name, is_primary }) => ({
    id,
    address: `${is_primary ? 'hello' : name === 'Returns' ? 'returns' : 'sales'}@${DOMAIN}`,
  }))
}

/** Connections that were removed, because a seeded company cannot reach Slack and Twilio. */
async function addFormer({ db }: Change, account_id: string): Promise<Company['former']> {
  const former = { slack: idOf(`${account_id} slack`), twilio: idOf(`${account_id} twilio`) }
  const removed_at = new Date().toISOString()
  await db
    .insertInto('authorizations')
    .values([
      {
        account_id,
        id: former.slack,
        integration: 'slack',
        label: 'Lumen & Oak',
        settings: toJson({ channel: '#support', channel_id: 'C0SUPPORT', team_id: 'T0LUMEN' }),
        removed_at,
      },
      { account_id, id: former.twilio, integration: 'twilio', label: '+44 20 7946 0000', removed_at },
    ])
    .execute()
  return former
}
