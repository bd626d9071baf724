import { type RawBuilder, sql } from 'kysely'

/**
 * Ratio of a step's end to its beginning. Replacing a value by the middle of its step is wrong by at most 0.99 %. Steps
 * are stored: after changing this number everything has to be counted again.
 */
export const GROWTH = 1.02

/**
 * SQL for the step of a duration in milliseconds: 0 below a second, then steps of growing size, up to some 1,100 for a
 * lifetime.
 */
export function stepOf(milliseconds: RawBuilder<unknown>): RawBuilder<number> {
  return sql`(case when ${milliseconds} < 1000 then 0 else 1 + floor(ln(${milliseconds} / 1000.0::float8) / ln(${GROWTH}::float8)) end)::smallint`
}

/** SQL for the seconds that represent all durations of a step: 0 for the step below a second. */
export function secondsOf(step: RawBuilder<unknown>): RawBuilder<number> {
  return sql`case when ${step} = 0 then 0 else power(${GROWTH}::float8, ${step}) * 2 / (1 + ${GROWTH}::float8) end`
}
