import type pg from 'pg'
import type { Keyring } from '#server/platform/crypto/keyring.ts'
import type { Source } from './source.ts'

/**
 * What is read of a product: for each table its columns with their SQL types. A type may end in `default …`, which holds
 * for columns that an older version of the product lacks; without one they are null. A row of the table `users` becomes
 * a row of the temporary table `old_users`; its column `ord` is the order of the rows in the source.
 */
export type Tables = Record<string, Record<string, string>>

/** One statement of a conversion, which may be repeated: a second import finds the rows of the first. */
export interface Conversion {
  /** The table that is filled. */
  table: string
  sql: string
  /** The source's table whose rows it works on, as a measure of how long it takes. */
  reads?: string
  /**
   * `low, high, rows`: for large tables a query of the slices in which the statement is run. It gets the bounds as `$1`
   * and `$2`, both included. One statement on millions of rows would need memory for the checks of each of them.
   */
  slices?: string
}

/** How to tell whether a staged row `o` was moved. */
export interface Check {
  table: string
  /** Parley's table, whose rows are counted for the report. */
  target?: string
  /** A condition. */
  isMoved: string
  /** An expression: why it was not, as a sentence about the row without its subject. */
  reason: string
}

/** How an operator calls an import. */
export interface MoveOptions {
  /** Ids of the only accounts that are moved, as the product writes them; all if empty. */
  accounts: string[]
  /** Where the product's files are: a folder, or `s3://bucket/prefix`. */
  files?: string | undefined
  /** The address of an S3-compatible store other than Amazon's. */
  filesEndpoint?: string | undefined
  /** The access token for the product's API; by default it is in the environment. */
  token?: string | undefined
  /** Only reports what would be moved. */
  isDryRun: boolean
  /** The reader's own options, by name. */
  own: Record<string, string | undefined>
}

/** How a product's API is read. */
export interface ApiOptions extends Pick<MoveOptions, 'accounts' | 'token'> {
  /** Private hosts that the operator allows. */
  reachableHosts: string[]
  /** Where what was read is kept until everything is moved, so that a reading that was stopped goes on. */
  folder: string
  /** Called with the part that is done, from 0 to 1. */
  onProgress(fraction: number): void
}

/** What steps in code are given: an open transaction of the installation, with the staged tables. */
export interface Step {
  client: pg.Client
  /** Encrypts secrets for the installation. */
  keys: Keyring
  options: MoveOptions
}

/**
 * Queries over the staged tables and what the conversions made of them. They are run at the end of the transaction.
 */
interface Queries {
  /** `id`: the accounts that are moved, as they are called in Parley. It is also run before the conversions. */
  accounts: string
  /** `account_id, message_id, body`: bodies over `LONG_BODY`, whole. */
  longBodies: string
  /**
   * `id, object, url, checksum, picture_url`: for each file its id in Parley, its path in the product's folder or bucket, its public
   * address or null, and Base64 of its MD5 or null. Rows of `files` with size 0 are filled with bytes from there. Of the
   * picture of a user or customer also `picture_url`: the address that it gets here.
   */
  files: string
  /** `max`: the largest number of a person, so that new people get larger ones. */
  largestUserNumber: string
  /** `line`: what people should know beside the counts, as sentences of the report. */
  remarks?: string
}

/**
 * A product that people move from: a folder beside this one, and a line in `readers.ts`. All of it runs in one transaction
 * of the installation, in the order of these fields.
 */
export interface Reader {
  /** As in `import-papercups` and in names of files. */
  id: string
  /** As people call it. */
  name: string
  /** Options of its own for the command line, each with the word for its value. `storage` is another name of `files`. */
  ownOptions?: Record<string, string>
  /** Reads the product's API into a source, for those who cannot reach its database. */
  openApi?(address: string, options: ApiOptions): Promise<Source>
  tables: Tables
  /** Tables without which a source is no database of this product. */
  required: string[]
  /** Tables that have no place in Parley, with what people do instead. They are only counted. */
  leftOut: Record<string, string>
  /** What is done with the staged rows first, such as removing those of other accounts. */
  prepare?(step: Step): Promise<void>
  conversions: Conversion[]
  /** What SQL alone cannot do. */
  finish?(step: Step): Promise<void>
  checks: Check[]
  queries: Queries
  /** Columns that nobody should find in the file of rows that were set aside. */
  secrets: string[]
}
