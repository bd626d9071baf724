import type pg from 'pg'
import type { AttributeKind, AttributeSubject } from '#contract/customers/attributes.ts'
import { newId } from '../expressions.ts'

// biome-ignore lint/suspicious/noExplicitAny: each column is checked where it is used
export type StagedRow = any

/** What actions and conditions of an account may name, by its number or name in Chatwoot, with its id here. */
export interface MovedAccount {
  /** The account's number in Chatwoot. */
  account: string
  account_id: string
  /** Only members. */
  users: Map<string, number>
  teams: Map<string, string>
  inboxes: Map<string, string>
  /** By names in lower case. */
  tags: Map<string, string>
  /** Kinds of attributes, by subject and key: `conversation order`. */
  attributes: Map<string, AttributeKind>
}

/** A part of what the team has set up has no equal here. The message goes on after "it": `has the action mute_conversation`. */
export class NoEqual extends Error {}

/** The key of an attribute in `attributes`. */
export const attributeName = (subject: AttributeSubject, key: string) => `${subject} ${key}`

/** Reads the moved accounts with what actions and conditions may name, after all of that was moved. */
export async function readMovedAccounts(client: pg.Client): Promise<MovedAccount[]> {
  const { rows } = await client.query<{ account: string; account_id: string }>(
    'select a.id as account, a.account_id from moved_accounts a join accounts c on c.id = a.account_id order by a.id',
  )
  const accounts: MovedAccount[] = []
  for (const { account, account_id } of rows) {
    const pairs = async <Value>(sql: string) => {
      const result = await client.query<{ name: string; value: Value }>(sql, [account])
      return new Map(result.rows.map(({ name, value }) => [name, value]))
    }
    accounts.push({
      account,
      account_id,
      users: await pairs<number>(
        'select user_id::text as name, id as value from people where account = $1 and is_member',
      ),
      teams: await pairs<string>(
        `select n.id::text as name, t.id as value from old_teams n join moved_accounts a on a.id = n.account_id
         join teams t on t.account_id = a.account_id and (t.id = ${newId('teams', 'n.id')} or t.name = btrim(n.name)) where a.id = $1`,
      ),
      inboxes: await pairs<string>(
        `select o.id::text as name, i.id as value from old_inboxes o join moved_accounts a on a.id = o.account_id
         join inboxes i on i.account_id = a.account_id and i.id = ${newId('inboxes', 'o.id')} where a.id = $1`,
      ),
      tags: await pairs<string>(
        `select lower(t.name) as name, t.id as value from tags t join moved_accounts a on a.account_id = t.account_id where a.id = $1`,
      ),
      attributes: await pairs<AttributeKind>(
        `select d.subject || ' ' || d.key as name, d.kind as value from attribute_definitions d
         join moved_accounts a on a.account_id = d.account_id where a.id = $1`,
      ),
    })
  }
  return accounts
}

/**
 * The id of what is named, by its number in Chatwoot.
 * @throws NoEqual if it is not here
 */
export function find<Id>(ids: Map<string, Id>, number: unknown, kind: string): Id {
  const id = ids.get(String(number))
  if (id === undefined) throw new NoEqual(`names a ${kind} that is not here`)
  return id
}
