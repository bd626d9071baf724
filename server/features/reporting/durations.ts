import { type RawBuilder, sql } from 'kysely'

/**
 * How many times as long the end of a step is as its beginning. Whoever takes the value in its middle for every other is wrong by
 * at most 0.99 % of it. Steps are stored: with another number everything has to be counted again.
 */
export const GROWTH = 1.02

/**
 * SQL for the step of a duration in milliseconds: 0 for less than a second, and from there on steps that grow, up to some
 * 1,100 for a lifetime.
 */
export function stepOf(milliseconds: RawBuilder<unknown>): RawBuilder<number> {
  return sql`(case when ${milliseconds} < 1000 then 0 else 1 + floor(ln(${milliseconds} / 1000.0::float8) / ln(${GROWTH}::float8)) end)::smallint`
}

/** SQL for the seconds that stand for all durations of a step: none for less than one. */
export function secondsOf(step: RawBuilder<unknown>): RawBuilder<number> {
  return sql`case when ${step} = 0 then 0 else power(${GROWTH}::float8, ${step}) * 2 / (1 + ${GROWTH}::float8) end`
}
