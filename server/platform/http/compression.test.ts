import { savedReplies } from '#contract/conversations/saved-replies.ts'
import { test as base, expect } from '#tests/support/fixture.ts'

const test = base.extend('list', ({ world, server }) => (encoding: string) => {
  return fetch(`${server.url}/api/canned_responses`, {
    headers: { authorization: world.ben.token, 'accept-encoding': encoding, origin: 'https://shop.example' },
  })
})

test('long responses are compressed for clients that accept it, and short ones are not', async ({ as, list }) => {
  const short = await list('gzip')
  expect(short.headers.get('content-encoding')).toBeNull()
  for (let at = 0; at < 12; at++) {
    const canned_response = { name: `long ${at}`, content: 'As we said before. '.repeat(1_000) }
    await as.ben(savedReplies.create, { body: { canned_response } })
  }
  const packed = await list('br, gzip')
  expect(packed.headers.get('content-encoding')).toBe('gzip')
  expect(packed.headers.get('vary')).toContain('accept-encoding')
  const plain = await list('identity')
  expect(plain.headers.get('content-encoding')).toBeNull()
  expect(await packed.json()).toEqual(await plain.json())
})
