import { afterAll, beforeAll, expect, test } from 'vitest'
import { type RedisServer, startRedis } from './support/redis-server.ts'
import { startTestServer } from './support/server.ts'

let redis: RedisServer
beforeAll(async () => {
  redis = await startRedis()
  await redis.command('ACL', 'SETUSER', 'mute', 'on', '>secret', '~*', '+@all', 'resetchannels')
  await redis.command('ACL', 'SETUSER', 'owner', 'on', '>secret', '~parley:*', '+@all', '&parley:*')
})
afterAll(() => redis.stop())

const urlFor = (credentials: string) => redis.url.replace('redis://', `redis://${credentials}@`)

/** What a server with this Redis says about itself. */
async function busOf(REDIS_URL: string) {
  const server = await startTestServer({ REDIS_URL })
  try {
    const { status, body } = await server.request('GET', '/ready')
    return { status, ...body.bus }
  } finally {
    await server.close()
  }
}

test('a Redis user with the rights that the documentation names is enough', async () => {
  expect(await busOf(urlFor('owner:secret'))).toEqual({ status: 200, ok: true })
})

test.for([
  ['without rights on channels', 'mute:secret', /lacks rights/],
  ['with a wrong password', 'owner:guessed', /refuses the user name or password/],
] as const)('a server with a Redis user %s is not ready and says why', async ([, credentials, sentence]) => {
  expect(await busOf(urlFor(credentials))).toEqual({ status: 503, ok: false, says: expect.stringMatching(sentence) })
})
