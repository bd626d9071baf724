import type { UpdateQueryBuilder, UpdateResult } from 'kysely'
import { type DeleteQueryBuilder, type DeleteResult, type Kysely, type SelectQueryBuilder, sql } from 'kysely'
import type { Database } from './schema.ts'

/** Tables whose rows belong to an account. */
type TableOfAccounts = {
  [Table in keyof Database]: 'account_id' extends keyof Database[Table] ? Table : never
}[keyof Database]

/**
 * Queries that concern only the rows of one account: `ofAccount(db, account_id).selectFrom('tags')`. Rows of other accounts
 * are not found, whatever id is asked for, and whatever mistake brought it there. The type of inserted rows requires
 * their account by itself.
 */
export function ofAccount(db: Kysely<Database>, account_id: string) {
  const isOfAccount = (table: TableOfAccounts) => sql<boolean>`${sql.ref(`${table}.account_id`)} = ${account_id}`
  return {
    selectFrom: <Table extends TableOfAccounts>(table: Table) =>
      db.selectFrom(table as 'tags').where(isOfAccount(table)) as unknown as SelectQueryBuilder<
        Database,
        Table,
        object
      >,
    updateTable: <Table extends TableOfAccounts>(table: Table) =>
      db.updateTable(table as 'tags').where(isOfAccount(table)) as unknown as UpdateQueryBuilder<
        Database,
        Table,
        Table,
        UpdateResult
      >,
    deleteFrom: <Table extends TableOfAccounts>(table: Table) =>
      db.deleteFrom(table as 'tags').where(isOfAccount(table)) as unknown as DeleteQueryBuilder<
        Database,
        Table,
        DeleteResult
      >,
  }
}

/**
 * For a query that concerns the rows of several accounts, or of one that is not known yet: says so, and why. It changes
 * nothing; `tests/queries.test.ts` refuses queries with neither this nor an account.
 */
export function acrossAccounts<Queries>(db: Queries, _reason: string): Queries {
  return db
}
