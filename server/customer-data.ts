import { sql } from 'kysely'
import type { Erased } from '#contract/erasure.ts'
import type { Context } from './context.ts'
import type { Change, Db } from './platform/db/change.ts'
import type { Database } from './platform/db/schema.ts'

/**
 * What a table holds of customers, and what becomes of it: merging, deleting, exporting and erasing read these. A test reads
 * the catalogue of the database and fails for a table that refers to customers and is named by no feature. Where nothing is
 * to be done, the reason stands in its place.
 */
export interface CustomerData {
  table: keyof Database
  merge: Move | { stays: string }
  export: Part | { leftOut: string }
  /** When the team deletes a customer, which keeps conversations and an empty row. `ids`: also who became part of them. */
  delete: ((change: Change, account_id: string, ids: string[]) => Promise<void>) | { stays: string }
  /** When everything of a customer is destroyed, after the deletion. Says how much was destroyed. */
  erase:
    | ((context: Context, change: Change, account_id: string, ids: string[]) => Promise<Partial<Erased>>)
    | { goesWith: string }
}

interface Move {
  /** Under which name a merge notes the ids of what changed hands. Merges in the database bear it, so it stays. */
  notedAs: string
  /** Gives what one customer has to another. Answers with its ids. */
  move(change: Change, account_id: string, from: string, to: string): Promise<string[]>
  /** Takes these back when the merge is undone. Answers with the ids of what was still there. */
  moveBack(change: Change, account_id: string, from: string, to: string, ids: string[]): Promise<string[]>
}

interface Part {
  /** Its name in the exported document. */
  as: string
  /** Beside the customer's own fields, rather than beside the customer. */
  isInCustomer?: true
  read(db: Db, account_id: string, customer_id: string): Promise<unknown>
}

/**
 * For tables that link customers with something that many may have: the other customer gets the links that it lacks, and
 * loses those again when the merge is undone. Silent: who merges customers tells of it.
 */
export function linksAreCopied(
  table: 'customer_tags' | 'customer_issues',
  column: 'tag_id' | 'issue_id',
  notedAs: string,
): Move {
  const ids = ({ rows }: { rows: { id: string }[] }) => rows.map(({ id }) => id)
  return {
    notedAs,
    async move({ db }, account_id, from, to) {
      const copied = sql<{ id: string }>`
        insert into ${sql.table(table)} (account_id, customer_id, ${sql.ref(column)})
        select account_id, ${to}, ${sql.ref(column)} from ${sql.table(table)}
        where account_id = ${account_id} and customer_id = ${from}
        on conflict do nothing returning ${sql.ref(column)} as id`
      return ids(await copied.execute(db))
    },
    async moveBack({ db }, account_id, from, _to, noted) {
      const dropped = sql<{ id: string }>`
        delete from ${sql.table(table)}
        where account_id = ${account_id} and customer_id = ${from} and ${sql.ref(column)} = any(${noted})
        returning ${sql.ref(column)} as id`
      return ids(await dropped.execute(db))
    },
  }
}

/**
 * For tables whose rows change hands as they are, archived ones too: each has an `id` and a `customer_id`, and nothing else
 * follows from it. Silent: who merges customers tells of it.
 */
export function reassignRows(
  table: 'conversations' | 'visitor_sessions' | 'customer_notes' | 'external_identities' | 'browser_sessions',
  notedAs: string,
): Move {
  const move = async ({ db }: Change, account_id: string, from: string, to: string, ids?: string[]) => {
    if (ids?.length === 0) return []
    const moved = await db
      // One of these tables: they have the columns in common that are used here.
      .updateTable(table as 'conversations')
      .set({ customer_id: to })
      .where('account_id', '=', account_id)
      .where('customer_id', '=', from)
      .$if(!!ids, (query) => query.where('id', 'in', ids!))
      .returning('id')
      .execute()
    return moved.map(({ id }) => id)
  }
  return { notedAs, move: (change, account_id, from, to) => move(change, account_id, from, to), moveBack: move }
}
