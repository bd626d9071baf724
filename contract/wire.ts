import * as z from 'zod/mini'

// How single values look on the wire. Existing clients send numbers and booleans as text (forms, query strings), so
// what comes in is read loosely; what goes out is exact.

/**
 * An id given by whoever asks; only its form is checked, whether it exists is for the database to say. Written small,
 * as the database does, so that two spellings of one id are equal everywhere.
 */
export const Id = z.guid().check(z.toLowerCase())
/** Whether a text is a UUID, in any case of its letters. */
export function isId(text: string): boolean {
  return z.safeParse(Id, text).success
}
/** The account that a client means. Whatever it says is taken, because to be told that there is none helps most. */
export const AccountId = z.string().check(z.maxLength(64), z.toLowerCase())
/** An id that a client makes for a thing it creates. Version 4 because the published widgets accept nothing newer. */
export const NewId = z.uuidv4().check(z.toLowerCase())
/** ISO 8601 in UTC, ending in `Z`. */
export const Timestamp = z.string()

/** A moment sent by a client, in any zone. Becomes ISO 8601 in UTC. */
export const GivenTime = z.pipe(
  z.string().check(z.maxLength(40), z.refine(isStorable, 'is invalid')),
  z.transform((text: string) => new Date(zoned(text)).toISOString()),
)

/** JavaScript reads years that no database holds. */
function isStorable(text: string): boolean {
  const year = new Date(zoned(text)).getUTCFullYear()
  return year >= 1 && year <= 9999
}

/** Times without a zone are UTC on this wire, not local time, whatever stands between day and time. */
function zoned(text: string): string {
  return /\d[T ][\d:.]+$/i.test(text) ? `${text}Z` : text
}

/** A whole number, or a text that says one, as forms and addresses do. */
export const GivenInteger = z.union([
  z.int(),
  z.pipe(
    z.string().check(z.regex(/^-?\d{1,9}$/, 'is invalid')),
    z.transform((text: string) => Number(text)),
  ),
])

/** A user, or nobody: null, or the empty text that forms have in its place. May be left out. */
export const UserOrNobody = z.optional(
  z.pipe(
    z.union([z.null(), z.literal(''), GivenInteger]),
    z.transform((given: null | '' | number) => (given === '' ? null : given)),
  ),
)

/** Yes or no, or a text that says it, as forms and addresses do. */
export const GivenBoolean = z.union([
  z.boolean(),
  z.pipe(
    z.string().check(z.regex(/^(true|false|1|0)$/, 'is invalid')),
    z.transform((text: string) => text === 'true' || text === '1'),
  ),
])

/** Free text within a limit, in characters. PostgreSQL cannot store the NUL character, so it is refused here. */
export function Text(limit: number) {
  return z.string().check(
    z.maxLength(limit, `should be at most ${limit} character(s)`),
    z.refine((text) => !text.includes('\u0000'), 'is invalid'),
  )
}

/** The name of a host, with a port where it is not the usual one. */
export const Host = Text(255).check(
  z.trim(),
  z.toLowerCase(),
  z.regex(/^[a-z0-9]([a-z0-9.:_-]*[a-z0-9])?$/, 'is invalid'),
)

/** Text that must say something: surrounding blanks are dropped. */
export function FilledText(limit: number) {
  return Text(limit).check(z.trim(), z.minLength(1, "can't be blank"))
}

/** Whatever a website wants to keep with something, within limits of size and depth. */
export const Metadata = z.record(z.string(), z.unknown()).check(
  z.refine((map) => JSON.stringify(map).length <= 65_536, 'is too large'),
  z.refine((map) => !JSON.stringify(map).includes('\\u0000'), 'is invalid'),
)

/** A field that may be sent as null or left out. */
export function maybe<S extends z.ZodMiniType>(schema: S) {
  return z.optional(z.nullable(schema))
}

/** A field that cannot be empty. Clients that fill every field they know send null for what they leave to us. */
export function ifAny<S extends z.ZodMiniType>(schema: S) {
  return z.optional(
    z.pipe(
      z.nullable(schema),
      z.transform((given: z.output<S> | null) => given ?? undefined),
    ),
  )
}

/** The answer of calls that have nothing else to say. */
export const Ok = z.object({ ok: z.boolean() })

/** Several words in a query: `expand[]=a&expand[]=b`, or `expand=a,b`. */
export const Several = z.pipe(
  z.union([z.string().check(z.maxLength(2000)), z.array(z.string().check(z.maxLength(100))).check(z.maxLength(100))]),
  z.transform((given: string | string[]) => (typeof given === 'string' ? given.split(',') : given).filter(Boolean)),
)

/** How many are wanted, or which page. What is no number is left to the default. */
export const CountWanted = z.optional(z.catch(z.optional(GivenInteger), undefined))

/** Pages by number, as tables show them. */
export const PageWanted = z.object({ page: CountWanted, page_size: CountWanted, limit: CountWanted })
export type PageWanted = z.output<typeof PageWanted>

/** The parameters of lists that are read by pages with numbers. */
export const PageNumbers = {
  page_number: z.int(),
  page_size: z.int(),
  total_pages: z.int(),
  /** Counting stops at 10,000. */
  total_entries: z.int(),
}
