import type pg from 'pg'

/** What a session with the database needs beside its connection. */
export interface SessionSettings {
  /** The address of this installation, which statements read as `parley.base_url`. */
  baseUrl?: string
  /** Time limit of a statement in milliseconds; 0 for none. */
  statementMs?: number
  /** How long an open transaction may wait for its next statement, in milliseconds; 0 for ever. */
  idleMs?: number
  /** Further settings of PostgreSQL. */
  others?: Record<string, string>
}

/**
 * Prepares a new connection, whatever the role, the database or a pooler has set. By a statement, because poolers refuse
 * or drop settings that are sent while connecting.
 */
export async function prepareSession(
  client: pg.ClientBase,
  { baseUrl = '', statementMs = 0, idleMs = 0, others = {} }: SessionSettings = {},
): Promise<void> {
  const settings = {
    timezone: 'UTC',
    datestyle: 'ISO, MDY',
    intervalstyle: 'postgres',
    statement_timeout: String(statementMs),
    idle_in_transaction_session_timeout: String(idleMs),
    'parley.base_url': baseUrl,
    ...others,
  }
  const assignments = Object.keys(settings).map((name, at) => `set_config('${name}', $${at + 1}, false)`)
  await client.query(`select ${assignments.join(', ')}`, Object.values(settings))
}
