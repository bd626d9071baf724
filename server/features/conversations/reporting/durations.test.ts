import { sql } from 'kysely'
import { expect, test } from '#tests/support/fixture.ts'
import { secondsOf, stepOf } from './durations.ts'

test('stored durations are accurate within one percent, from a second to a century', async ({ server }) => {
  const step = stepOf(sql`milliseconds`)
  const { rows } = await sql<{ milliseconds: number; step: number; seconds: number }>`
    select milliseconds::float8, ${step} as step, (${secondsOf(step)})::float8 as seconds
    from generate_series(0, 28.77, 0.0007) power, lateral (select exp(power)::bigint as milliseconds) durations
    union all select milliseconds, ${step}, (${secondsOf(step)})::float8 from (values (0::bigint), (999), (1000), (3155760000000)) edges (milliseconds)
    order by 1`.execute(server.context.db)
  expect(rows.length).toBeGreaterThan(40_000)
  const off = rows.map(({ milliseconds, seconds }) => Math.abs(seconds - milliseconds / 1000) / (milliseconds / 1000))
  expect(Math.max(...off.filter((_, i) => rows[i]!.milliseconds >= 1000))).toBeLessThan(0.01)
  // Below a second is step 0: such replies do not matter, and outside working hours most durations are 0.
  expect(new Set(rows.filter(({ milliseconds }) => milliseconds < 1000).map(({ seconds }) => seconds))).toEqual(
    new Set([0]),
  )
  // The maximum that a week's row can hold.
  expect(rows.at(-1)!.step).toBeLessThan(1_200)
  expect(rows.map((row) => row.step)).toEqual(rows.map((row) => row.step).sort((one, other) => one - other))
})
