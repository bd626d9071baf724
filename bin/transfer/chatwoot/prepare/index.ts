import { OperatorError } from '#server/platform/operator-error.ts'
import type { Step } from '../../moving-in/reader.ts'
import { HOURS_OF_DAYS } from '../convert/accounts.ts'
import { OBJECTS } from '../convert/files.ts'
import { HISTORIES } from '../convert/histories.ts'
import { PICTURES_OF_PEOPLE } from '../convert/pictures.ts'
import { readHtmlBodies } from '../html-bodies.ts'
import { prepareIds } from '../ids.ts'
import { REMARKS_TABLE } from '../remarks.ts'
import { NOT_TAKEN_TABLE } from '../setup/setting-up.ts'
import { ACCOUNTS } from './accounts.ts'
import { FUNCTIONS, LOOKUPS } from './functions.ts'
import { MESSAGE_STEPS } from './messages.ts'
import { PEOPLE_STEPS } from './people.ts'
import { THREAD_STEPS } from './threads.ts'

/**
 * Chooses what is moved, and computes once what several conversions need.
 * @throws OperatorError if an account does not exist, or agents would see more than before and nobody agreed to that
 */
export async function prepare(step: Step): Promise<void> {
  const { client, options } = step
  await client.query(FUNCTIONS + LOOKUPS)
  const ids = await prepareIds(step)
  await setAll(step, {
    ids_inner: ids.inner,
    ids_outer: ids.outer,
    import_secret: ids.secret,
    import_activities: readActivities(step),
    import_accounts: options.accounts.join(','),
    import_mail_domain: process.env.MAILER_INBOUND_EMAIL_DOMAIN ?? '',
  })
  await assertAccounts(step)
  await client.query(
    `create temporary table earlier_inboxes on commit drop as select id from inboxes; ${REMARKS_TABLE}; ${NOT_TAKEN_TABLE}`,
  )
  for (const sql of [...ACCOUNTS, ...PEOPLE_STEPS]) await client.query(sql)
  await assertVisibility(step)
  for (const sql of [...THREAD_STEPS, HOURS_OF_DAYS, ...MESSAGE_STEPS, HISTORIES, OBJECTS, PICTURES_OF_PEOPLE])
    await client.query(sql)
  await readHtmlBodies(step)
}

/** Sets what the statements read by `current_setting`, until the end of the transaction. */
async function setAll({ client }: Step, settings: Record<string, string>): Promise<void> {
  for (const [name, value] of Object.entries(settings)) {
    await client.query(`select set_config($1, $2, true)`, [`parley.${name}`, value])
  }
}

/** Whether lines of the team's history become notes; they are left out unless somebody asks for them. */
function readActivities({ options }: Step): string {
  const { activities = 'none' } = options.own
  if (activities === 'notes' || activities === 'none') return activities
  throw new OperatorError('--activities is “notes” (one private note for each conversation) or “none”.')
}

async function assertAccounts({ client, options }: Step): Promise<void> {
  for (const account of options.accounts) {
    const { rows } = await client.query('select 1 from old_accounts where id::text = $1', [account])
    if (rows.length === 0) throw new OperatorError(`Chatwoot has no account ${account}.`)
  }
}

/** In Chatwoot agents see the inboxes that they are members of; in Parley everybody sees all. */
async function assertVisibility({ client, options }: Step): Promise<void> {
  const { rows } = await client.query<{ count: number }>(
    `select count(distinct m.user_id)::int as count from people m join old_inboxes i on i.account_id = m.account
     where m.is_member and not exists (select from old_account_users a where a.account_id = m.account and a.user_id = m.user_id and a.role = 1)
       and not exists (select from old_inbox_members x where x.inbox_id = i.id and x.user_id = m.user_id)`,
  )
  const { count } = rows[0]!
  if (count === 0) return
  const sentence = `${count} people see only some inboxes in Chatwoot. In Parley everybody in the team sees every inbox.`
  await client.query('insert into remarks (line) values ($1)', [sentence])
  if (options.isDryRun || options.own.inboxes === 'shared') return
  throw new OperatorError(
    `${sentence} To agree, add --inboxes shared; in the dashboard, check the file first. Or move only accounts where that is right (--account).`,
  )
}
