import pg from 'pg'

type Parse = (text: string) => unknown

/**
 * How columns arrive in JavaScript: times as ISO 8601 in UTC (`2026-11-21T09:00:00.123Z`), days as `YYYY-MM-DD`, all
 * numbers as numbers. Times never become a Date: the text is already what the wire wants, in milliseconds.
 */
const scalars: Record<number, Parse> = {
  [pg.types.builtins.INT8]: Number,
  [pg.types.builtins.NUMERIC]: Number,
  [pg.types.builtins.DATE]: String,
  [pg.types.builtins.TIMESTAMP]: String,
  [pg.types.builtins.TIMESTAMPTZ]: parseTime,
}

/** PostgreSQL gives each array type a number of its own. */
const arrays: Record<number, number> = {
  1016: pg.types.builtins.INT8,
  1231: pg.types.builtins.NUMERIC,
  1182: pg.types.builtins.DATE,
  1115: pg.types.builtins.TIMESTAMP,
  1185: pg.types.builtins.TIMESTAMPTZ,
}

const TEXT_ARRAY = 1009

/**
 * `2026-11-21 09:00:00.5+00` → `2026-11-21T09:00:00.500Z`; sessions speak UTC, other offsets are converted. Always three
 * digits, so that times sort as texts.
 */
function parseTime(text: string): string {
  const [, day, time, fraction] = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(\.\d{1,3})?\d*\+00$/.exec(text) ?? []
  if (day && time) return `${day}T${time}${(fraction ?? '.').padEnd(4, '0')}Z`
  const moment = new Date(text)
  return Number.isNaN(moment.getTime()) ? text : moment.toISOString()
}

function arrayOf(parse: Parse): Parse {
  const split = (pg.types.getTypeParser as (type: number) => Parse)(TEXT_ARRAY)
  const parseAll = (value: unknown): unknown =>
    Array.isArray(value) ? value.map(parseAll) : typeof value === 'string' ? parse(value) : value
  return (text) => parseAll(split(text))
}

const parsers = new Map<number, Parse>(Object.entries(scalars).map(([type, parse]) => [Number(type), parse]))
for (const [array, element] of Object.entries(arrays)) {
  parsers.set(Number(array), arrayOf(scalars[element] ?? String))
}

/** For `pg`'s `types` setting: our parsers where we have one, pg's own otherwise (jsonb as a value, for one). */
export const types: pg.CustomTypesConfig = {
  getTypeParser: ((type: number, format?: 'text' | 'binary') =>
    (format !== 'binary' && parsers.get(type)) ||
    pg.types.getTypeParser(type, format)) as typeof pg.types.getTypeParser,
}
