import { createInterface } from 'node:readline/promises'
import { sql } from 'kysely'
import type { Config } from '#server/config.ts'
import { setSuspended } from '#server/features/accounts/accounts/suspension.ts'
import { beginClosing } from '#server/features/customers/erasure/closing.ts'
import { appendEvents } from '#server/features/developers/events/event-log.ts'
import { createChange, type Db } from '#server/platform/db/change.ts'
import type { Jobs } from '#server/platform/jobs/jobs.ts'
import { OperatorError } from '#server/platform/operator-error.ts'

/** What an operator does with the companies of an installation. */
export interface Companies {
  config: Config
  db: Db
  jobs: Jobs
}

interface Company {
  id: string
  name: string
  since: string
  users: number
  conversations: number
  last_activity: string | null
  suspended: string | null
}

async function readCompanies(db: Db): Promise<Company[]> {
  const { rows } = await sql<Company>`
    select a.id, a.company_name as name, to_char(a.created_at, 'YYYY-MM-DD') as since,
      (select count(*)::integer from users u where u.account_id = a.id and u.archived_at is null) as users,
      (select count(*)::integer from conversations c where c.account_id = a.id) as conversations,
      (select to_char(max(c.last_activity_at), 'YYYY-MM-DD') from conversations c where c.account_id = a.id) as last_activity,
      to_char(a.suspended_at, 'YYYY-MM-DD') as suspended
    from accounts a order by a.created_at, a.id`.execute(db)
  return rows
}

/** Prints all companies, oldest first, with what they have stored. */
export async function listCompanies(db: Db): Promise<void> {
  const rows = await readCompanies(db)
  if (rows.length > 0) console.table(rows)
  else console.log('No company has registered yet.')
}

/**
 * Suspends a company, given by its id or name, or resumes it.
 * @returns a sentence about it
 * @throws OperatorError if there is no such company, or several
 */
export async function suspendCompany({ config, db }: Companies, wanted: string, isSuspended: boolean): Promise<string> {
  const { id, name } = await findCompany(db, wanted)
  const isNew = await changing(db)((change) => setSuspended({ config }, change, id, isSuspended))
  if (!isNew) return `${name} is ${isSuspended ? 'already' : 'not'} suspended.`
  return isSuspended
    ? `${name} is suspended: nobody can sign in, its chat widgets are not shown, and nothing is sent. What others send to it is kept. \`companies resume\` undoes this.`
    : `${name} can use Parley again. Mails of the last day are sent now, and what was received meanwhile is read.`
}

/**
 * Closes a company for good, once its name was typed or `--yes` was given.
 * @returns a sentence about it
 * @throws OperatorError if there is no such company, or several, or another name was typed
 */
export async function closeCompany(
  { config, db, jobs }: Companies,
  wanted: string,
  { yes }: { yes?: boolean | undefined },
): Promise<string> {
  const { id, name, users, conversations } = await findCompany(db, wanted)
  if (!yes) {
    console.log(`This deletes ${name} for good, with ${conversations} conversations and the access of ${users} people.`)
    console.log('`npm run parley -- backup FILE` keeps a copy of the whole installation.')
    if ((await ask('To confirm, type the name of the company: ')).trim() !== name.trim()) {
      throw new OperatorError('That is not its name. Nothing was deleted.')
    }
  }
  await changing(db)((change) => beginClosing({ config, jobs }, change, id))
  return `${name} is closed. The server deletes its data now, or once it is started.`
}

async function findCompany(db: Db, wanted: string): Promise<Company> {
  const text = wanted.trim().toLowerCase()
  const matches = (await readCompanies(db)).filter(({ id, name }) => id === text || name.trim().toLowerCase() === text)
  const [company, ...others] = matches
  if (!company) throw new OperatorError(`There is no company ${wanted}. \`companies\` lists them.`)
  if (others.length > 0) {
    throw new OperatorError(`Several companies have this name. Use an id: ${matches.map(({ id }) => id).join(', ')}`)
  }
  return company
}

async function ask(question: string): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  // Without an answer, such as at the end of the input, nothing is confirmed.
  const ended = new Promise<string>((resolve) => terminal.once('close', () => resolve('')))
  return Promise.race([terminal.question(question), ended]).finally(() => terminal.close())
}

/** Running servers learn of the change from the event log. */
function changing(db: Db) {
  return createChange(db, { append: appendEvents, publish: () => undefined })
}
