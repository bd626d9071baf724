import { Refusal } from '../../errors.ts'
import { StoreFailed } from '../files/file-store.ts'

/** The code of a PostgreSQL or system error. */
function errorCodeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}

/** Connection lost, refused or silent, or the server is shutting down or starting: the work may be retried. */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = errorCodeOf(error)
  return (
    /^(08|53300|57P0[123])/.test(code) ||
    ['ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'EPIPE'].includes(code) ||
    /connection terminated|timeout exceeded when trying to connect|query read timeout/i.test(error.message) ||
    /(connection error and|Client was closed and) is not queryable/.test(error.message)
  )
}

/** A standby, or a database that was made read-only: writes fail until an operator acts. */
export function isReadOnly(error: unknown): boolean {
  return errorCodeOf(error) === '25006'
}

/** The disk of the database or of the files is full. */
export function isStorageFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = errorCodeOf(error)
  // PostgreSQL's I/O error has many causes; a full disk is one of them.
  return ['53100', 'ENOSPC', 'EDQUOT'].includes(code) || (code === '58030' && FULL_DISK.test(error.message))
}

const FULL_DISK = /no space left|disk quota exceeded/i

/** Whether PostgreSQL reported a full disk before it ended. */
export function reportsFullDisk(text: string): boolean {
  return FULL_DISK.test(text)
}

/** The refusal for people who wait: it was not their fault, nothing was done, and a retry may succeed. */
export function asRefusal(error: unknown): Refusal | undefined {
  if (isStorageFull(error))
    return new Refusal(503, "The server's disk is full. Please contact its operator.", 'storage_full')
  if (error instanceof StoreFailed)
    return new Refusal(503, 'Files cannot be stored or read at the moment. Try again later.', 'unavailable')
  if (isReadOnly(error))
    return new Refusal(503, 'The database is read-only at the moment. Please contact its operator.', 'unavailable')
  if (errorCodeOf(error) === '53300')
    return new Refusal(503, 'The database has too many connections. Try again in a moment.', 'unavailable')
  if (!isDatabaseAway(error)) return undefined
  return new Refusal(503, 'The database is restarting. Try again in a moment.', 'unavailable')
}

const POOLER_ADVICE =
  'set pool_mode = session and ignore_startup_parameters = extra_float_digits,options in PgBouncer, or connect to PostgreSQL itself'

/** Problems of TLS and of poolers have no code of their own, or share one with others. */
const OPERATOR_ADVICE_BY_MESSAGE: [RegExp, (message: string) => string][] = [
  [
    /no pg_hba\.conf entry.*no encryption|SSL\/TLS required|SSL off/i,
    (message) => `The database requires TLS (${message}): add sslmode=require to DATABASE_URL.`,
  ],
  [
    /does not support SSL connections/i,
    (message) => `The database offers no TLS (${message}): enable it there, or remove sslmode from DATABASE_URL.`,
  ],
  [
    /altnames/i,
    (message) =>
      `The certificate of the database is for another name (${message}): use that name in DATABASE_URL, or a certificate for the name that is in it.`,
  ],
  [
    /certificate (has expired|is not yet valid)/i,
    (message) =>
      `The certificate of the database is not valid at present (${message}): renew it there, and check the clock of this machine.`,
  ],
  [
    /certificate/i,
    (message) =>
      `The certificate of the database is not trusted (${message}): add sslrootcert=/path/of/ca.pem to DATABASE_URL, with the authority that signed it. If it is there, it names another authority than the one that signed the certificate.`,
  ],
  [
    /unsupported startup parameter/i,
    (message) => `The connection pooler in front of the database refuses a setting (${message}): ${POOLER_ADVICE}.`,
  ],
]

const OPERATOR_ADVICE: [RegExp, (message: string) => string][] = [
  [/^28/, (message) => `The database refused the user name or password in DATABASE_URL (${message}).`],
  [/^3D000$/, (message) => `The database in DATABASE_URL does not exist (${message}): create it first.`],
  [
    /^42501$/,
    (message) =>
      `The database user lacks permissions (${message}): make it the owner, for example with ALTER DATABASE parley OWNER TO parley.`,
  ],
  [
    /^53300$/,
    (message) => `The database accepts no more connections (${message}): close some, or raise its max_connections.`,
  ],
  [
    /^25006$/,
    (message) =>
      `The database cannot be written (${message}): use the primary server, and a database that is not read-only.`,
  ],
  [/^57P03$/, (message) => `The database is starting or stopping (${message}): try again in a moment.`],
  [/^(53100|ENOSPC|EDQUOT)$/, (message) => `The disk is full (${message}): free some space and try again.`],
]

/** What an operator can do about an error of the database or its disk, if there is such advice. */
export function adviceForOperator(error: unknown): string | undefined {
  if (error instanceof AggregateError && error.errors.length > 0) return adviceForOperator(error.errors[0])
  if (!(error instanceof Error)) return undefined
  const byMessage = OPERATOR_ADVICE_BY_MESSAGE.find(([pattern]) => pattern.test(error.message))
  if (byMessage) return byMessage[1](error.message)
  const byCode = OPERATOR_ADVICE.find(([code]) => code.test(errorCodeOf(error)))
  if (byCode) return byCode[1](error.message)
  if (/^timeout e/.test(error.message))
    return 'The database accepts connections but does not respond: check whether it is suspended or overloaded.'
  if ('path' in error && !('address' in error)) return `${error.path} cannot be used (${error.message}).`
  if (isDatabaseAway(error)) return `The database cannot be reached: ${error.message}. Is DATABASE_URL right?`
  return undefined
}

/** A connection error for several addresses has no message of its own. */
export function describeError(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(describeError).join(', ')
  return error instanceof Error ? error.message : String(error)
}
