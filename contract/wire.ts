import * as z from 'zod/mini'
import { isCalendarDay } from './days.ts'
import { limitCombiningMarks } from './text/combining-marks.ts'
import { visibleText } from './text/visible.ts'

// How single values are encoded. Existing clients send numbers and booleans as text (forms, query strings), so input is
// parsed leniently; output is exact.

/**
 * An id from a client; only its form is checked here. Lower-cased as in the database, so that two spellings of one id
 * are equal everywhere.
 */
export const Id = z.guid().check(z.toLowerCase())
/** Whether a text is a UUID, in any case of its letters. */
export function isId(text: string): boolean {
  return z.safeParse(Id, text).success
}
/**
 * The account that a client names. Any text is accepted, because the later error that there is no such account is most
 * helpful.
 */
export const AccountId = z.string().check(z.maxLength(64), z.toLowerCase())
/** An id created by a client for a new object. Version 4, because the published widgets accept nothing newer. */
export const NewId = z.uuidv4().check(z.toLowerCase())
/** ISO 8601 in UTC, ending in `Z`. */
export const Timestamp = z.string().check(z.meta({ format: 'date-time' }))
/** `YYYY-MM-DD`. */
export const Day = z.string().check(z.meta({ format: 'date' }))

/** A day, or a day with a time of any precision and any or no zone, as in ISO 8601. */
const ISO_TIME = /^(\d{4})-(\d\d)-(\d\d)(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(?: ?(?:Z|[+-]\d\d(?::?\d\d)?))?)?$/i

/** A time sent by a client, in any zone. Converted to ISO 8601 in UTC. */
export const TimeInput = z.pipe(
  z.string().check(
    z.maxLength(40),
    z.refine((text) => ISO_TIME.test(text) && isCalendarDay(text.slice(0, 10)) && isStorable(text), 'is invalid'),
    z.meta({
      format: 'date-time',
      description: 'ISO 8601. A time without a zone is in UTC, and a day alone means its beginning.',
    }),
  ),
  z.transform((text: string) => new Date(zoned(text)).toISOString()),
)

/** JavaScript accepts years that the database cannot store. */
function isStorable(text: string): boolean {
  const year = new Date(zoned(text)).getUTCFullYear()
  return year >= 1 && year <= 9999
}

/** Times without a zone are UTC, not local time, whatever separates day and time. */
function zoned(text: string): string {
  const iso = text.replace(',', '.').replace(/(:[\d.]+) ?([+-]\d\d)$/, '$1$2:00')
  return /\d[T ][\d:.]+$/i.test(iso) ? `${iso}Z` : iso
}

const LARGEST = 2 ** 31 - 1

/** A whole number from `min` to `max`, or its text, as in forms and query strings. */
export function IntegerBetween(min: number, max: number, message = 'is invalid') {
  const bounds = [z.gte(min, message), z.lte(max, message)] as const
  return z.union([
    z.int32().check(...bounds),
    z.pipe(
      z.string().check(z.regex(/^-?\d{1,9}$/, 'is invalid')),
      z.pipe(
        z.transform((text: string) => Number(text)),
        z.int32().check(...bounds),
      ),
    ),
  ])
}

/** A whole number that the database's columns can hold, or its text. */
export const IntegerInput = IntegerBetween(-LARGEST - 1, LARGEST)

/** A user id, or nobody: null, or an empty text as in forms. May be left out. */
export const UserOrNobody = z.optional(
  z.pipe(
    z.union([z.null(), z.literal(''), IntegerInput]),
    z.transform((input: null | '' | number) => (input === '' ? null : input)),
  ),
)

/** A boolean, or its text, as in forms and query strings. */
export const BooleanInput = z.union([
  z.boolean(),
  z.pipe(
    z.string().check(z.regex(/^(true|false|1|0)$/, 'is invalid')),
    z.transform((text: string) => text === 'true' || text === '1'),
  ),
])

/**
 * Text up to a number of characters, with a limit of combining marks. PostgreSQL cannot store the NUL character, so it is
 * refused here.
 */
export function Text(limit: number) {
  return z.string().check(
    z.maxLength(limit, `should be at most ${limit} character(s)`),
    z.refine((text) => !text.includes('\u0000'), 'is invalid'),
    z.overwrite(limitCombiningMarks),
  )
}

/** A host name, with a port if it is not the default. */
export const Host = Text(255).check(
  z.trim(),
  z.toLowerCase(),
  z.regex(/^[a-z0-9]([a-z0-9.:_-]*[a-z0-9])?$/, 'is invalid'),
)

/** Text that must not be blank; surrounding blanks are removed. */
export function FilledText(limit: number) {
  return Text(limit).check(z.trim(), z.minLength(1, "can't be blank"))
}

/** A name of a person or a company, without hidden characters. */
export function Name(limit: number) {
  return Text(limit).check(z.overwrite(visibleText))
}

/** The largest metadata, in characters of JSON. */
export const METADATA_LIMIT = 65_536

/** An escaped NUL character, which the database cannot store; after an odd number of backslashes it is what somebody typed. */
const NUL_IN_JSON = /(?<!\\)(?:\\\\)*\\u0000/

/** Arbitrary data of a website, limited in size and depth. */
export const Metadata = z.record(z.string(), z.unknown()).check(
  z.describe('Any data of yours, up to 64 kB as JSON.'),
  z.refine((map) => JSON.stringify(map).length <= METADATA_LIMIT, 'is too large'),
  z.refine((map) => !NUL_IN_JSON.test(JSON.stringify(map)), 'is invalid'),
)

/** A field that may be sent as null or left out. */
export function maybe<S extends z.ZodMiniType>(schema: S) {
  return z.optional(z.nullable(schema))
}

/** A field that cannot be empty. Clients that send all known fields use null for "default". */
export function ifAny<S extends z.ZodMiniType>(schema: S) {
  return z.optional(
    z.pipe(
      z.nullable(schema),
      z.transform((input: z.output<S> | null) => input ?? undefined),
    ),
  )
}

/** The response of calls without a result. */
export const Ok = z.object({ ok: z.boolean() })

/** Several values in a query: `expand[]=a&expand[]=b`, or `expand=a,b`. */
export const Several = z.pipe(
  z.union([z.string().check(z.maxLength(2000)), z.array(z.string().check(z.maxLength(100))).check(z.maxLength(100))]),
  z.transform((input: string | string[]) => (typeof input === 'string' ? input.split(',') : input).filter(Boolean)),
)

/** A page number or size, from 1. Empty, as in forms, means the default. */
export const CountParameter = z.optional(
  z
    .union([
      IntegerBetween(1, LARGEST, 'should be at least 1'),
      z.pipe(
        z.literal(''),
        z.transform(() => undefined),
      ),
    ])
    .check(z.describe('From 1. Empty means the default.')),
)

/** Numbered pages, as in tables. */
export const PageRequest = z.object({ page: CountParameter, page_size: CountParameter, limit: CountParameter })
export type PageRequest = z.output<typeof PageRequest>

/** The parameters of lists with numbered pages. */
export const PageNumbers = {
  page_number: z.int32(),
  page_size: z.int32(),
  total_pages: z.int32(),
  total_entries: z.int32().check(z.describe('Counting stops at 10,000.')),
}
