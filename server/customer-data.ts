import { sql } from 'kysely'
import type { Erased } from '#contract/customers/erasure.ts'
import type { Context } from './context.ts'
import type { Change, Db } from './platform/db/change.ts'
import type { Database } from './platform/db/schema.ts'

/**
 * How a table with customer data is handled when customers are merged, deleted, exported and erased. A test reads the
 * database's catalogue and fails for a table that refers to customers but is in no manifest. Where nothing is to be
 * done, a reason is given instead.
 */
export interface CustomerData {
  table: keyof Database
  merge: Move | { stays: string }
  export: Part | { leftOut: string }
  /**
   * The team deletes a customer, which keeps conversations and an empty row. `ids` includes customers merged into them.
   */
  delete: ((change: Change, account_id: string, ids: string[]) => Promise<void>) | { stays: string }
  /** All data of a customer is destroyed, after the deletion. Returns how much was destroyed. */
  erase:
    | ((context: Context, change: Change, account_id: string, ids: string[]) => Promise<Partial<Erased>>)
    | { goesWith: string }
}

interface Move {
  /** The name under which a merge records the ids it moved. It is stored in the database, so it must not change. */
  recordedAs: string
  /** Moves a customer's rows to another one. Returns their ids. */
  move(change: Change, account_id: string, from: string, to: string): Promise<string[]>
  /** Moves these back when the merge is undone. Returns the ids of those that still existed. */
  moveBack(change: Change, account_id: string, from: string, to: string, ids: string[]): Promise<string[]>
}

interface Part {
  /** Its name in the exported document. */
  as: string
  /** Among the customer's own fields, rather than beside the customer. */
  isInCustomer?: true
  read(db: Db, account_id: string, customer_id: string): Promise<unknown>
}

/**
 * For tables that link customers to something shared: the other customer gets the links it lacks, and loses them again
 * when the merge is undone. Announces nothing; the merge does.
 */
export function linksAreCopied(
  table: 'customer_tags' | 'customer_issues',
  column: 'tag_id' | 'issue_id',
  recordedAs: string,
): Move {
  const ids = ({ rows }: { rows: { id: string }[] }) => rows.map(({ id }) => id)
  return {
    recordedAs,
    async move({ db }, account_id, from, to) {
      const copied = sql<{ id: string }>`
        insert into ${sql.table(table)} (account_id, customer_id, ${sql.ref(column)})
        select account_id, ${to}, ${sql.ref(column)} from ${sql.table(table)}
        where account_id = ${account_id} and customer_id = ${from}
        on conflict do nothing returning ${sql.ref(column)} as id`
      return ids(await copied.execute(db))
    },
    async moveBack({ db }, account_id, from, _to, moved_ids) {
      const dropped = sql<{ id: string }>`
        delete from ${sql.table(table)}
        where account_id = ${account_id} and customer_id = ${from} and ${sql.ref(column)} = any(${moved_ids})
        returning ${sql.ref(column)} as id`
      return ids(await dropped.execute(db))
    },
  }
}

/**
 * For tables whose rows move unchanged, including archived ones: each has an `id` and a `customer_id`, and nothing else
 * depends on it. Announces nothing; the merge does.
 */
export function reassignRows(
  table: 'conversations' | 'visitor_sessions' | 'customer_notes' | 'external_identities' | 'browser_sessions',
  recordedAs: string,
): Move {
  const move = async ({ db }: Change, account_id: string, from: string, to: string, ids?: string[]) => {
    if (ids?.length === 0) return []
    const moved = await db
      // Stands for any of these tables: they have all columns used here.
      .updateTable(table as 'conversations')
      .set({ customer_id: to })
      .where('account_id', '=', account_id)
      .where('customer_id', '=', from)
      .$if(!!ids, (query) => query.where('id', 'in', ids!))
      .returning('id')
      .execute()
    return moved.map(({ id }) => id)
  }
  return { recordedAs, move: (change, account_id, from, to) => move(change, account_id, from, to), moveBack: move }
}
