import { test as base, expect } from '../support/fixture.ts'
import { describeFault, Walk, walkOnce } from './walk.ts'

/** No call leaves the machine. */
const test = base.extend(
  'env',
  { scope: 'file' },
  {
    SLACK_API_URL: 'http://127.0.0.1:9',
    DNS_SERVERS: '127.0.0.1:9',
  },
)

/** `npm run test:contract` sets both. */
const seed = Number(process.env.CONTRACT_SEED ?? 20_261_127)
const seconds = Number(process.env.CONTRACT_SECONDS ?? 12)

/** At least, also on a machine that is busy. */
const REQUESTS = 100

test('no generated request is answered in a way that the document does not declare', {
  timeout: seconds * 1000 + 180_000,
}, async ({ server }) => {
  const walk = await Walk.begin(server)
  const until = Date.now() + seconds * 1000
  const hasEnded = () => Date.now() > until && walk.requests >= REQUESTS
  for (let round = 0; !hasEnded(); round++) await walkOnce(walk, { seed, round, hasEnded })
  expect(walk.faults.map(describeFault).join('\n\n')).toBe('')
})

test('no example of the document is refused', async ({ server }) => {
  const walk = await Walk.begin(server)
  await walk.tryExamples()
  expect(walk.faults.map(describeFault).join('\n\n')).toBe('')
})
