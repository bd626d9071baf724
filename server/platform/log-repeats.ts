import type { LogFn, Logger } from 'pino'

/** How often the same trouble is written in a minute. The rest is counted. */
const MAX_PER_MINUTE = 20
const MINUTE_MS = 60_000
/** Kinds of lines that are counted at a time; whatever comes beyond is written. */
const MAX_KINDS = 1_000
/** The level of warnings; lines below say what was done, and each is of something else. */
const WARNING = 40
/** Fatal lines are the last ones of a process. */
const FATAL = 60

interface Kind {
  count: number
  message: string
  reason: string | undefined
  /** Writes at the level of the line. */
  write(fields: object, message: string): void
}

/**
 * A `logMethod` for pino. A server that cannot reach something may say so thousands of times a second, which fills the
 * disk and hides everything else. So a warning or error with the same message, reason and address is written twenty times
 * a minute; at the end of the minute one line says how often it came besides.
 */
export function limitRepeats() {
  const kinds = new Map<string, Kind>()

  function summarize() {
    for (const { count, message, reason, write } of kinds.values()) {
      const repeated = count - MAX_PER_MINUTE
      if (repeated > 0) write({ reason, repeated }, `${message} (repeated ${repeated.toLocaleString('en')} times)`)
    }
    kinds.clear()
  }

  return function logMethod(this: Logger, line: Parameters<LogFn>, method: LogFn, level: number) {
    if (level < WARNING || level >= FATAL) return method.apply(this, line)
    const { message, reason, address } = describeLine(line)
    const name = [level, message, reason, address].join('\n')
    const kind = kinds.get(name) ?? {
      count: 0,
      message,
      reason,
      write: (fields, text) => method.call(this, fields, text),
    }
    if (kinds.size === 0) setTimeout(summarize, MINUTE_MS).unref()
    if (kinds.size < MAX_KINDS) kinds.set(name, kind)
    kind.count++
    if (kind.count <= MAX_PER_MINUTE) method.apply(this, line)
  }
}

/** Lines are `(message)`, `(fields, message)` or `(error, message)`. */
function describeLine([first, second]: readonly unknown[]) {
  const fields: { err?: unknown; reason?: unknown; address?: unknown } =
    first instanceof Error ? { err: first } : typeof first === 'object' && first !== null ? first : {}
  const reason = fields.err instanceof Error ? fields.err.message : fields.reason
  return {
    message: String((typeof first === 'string' ? first : second) ?? reason ?? ''),
    reason: reason === undefined ? undefined : String(reason),
    address: fields.address,
  }
}
