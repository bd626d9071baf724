import { operations } from '#contract/operations/operations.ts'
import { expect, test } from '#tests/support/fixture.ts'
import { startTestServer, type TestServer } from '#tests/support/server.ts'

const HERE = 'https://chat.acme.test'

async function upload({ url }: TestServer, token: string): Promise<string> {
  const body = new FormData()
  body.set('file', new Blob(['hello']), 'hello.txt')
  const answer = await fetch(`${url}/api/upload`, { method: 'POST', body, headers: { authorization: token } })
  return (await answer.json()).data.file_url
}

test('only admins of the first account can change the URL', async ({ as }) => {
  expect((await as.olga(operations.address)).data.may_change).toBe(false)
  const body = { base_url: 'https://evil.test' }
  await expect(as.olga(operations.changeAddress, { body })).rejects.toMatchObject({ status: 403 })
  await expect(as.ben(operations.changeAddress, { body })).rejects.toMatchObject({ status: 401 })
})

test('it must be a URL as shown in the address bar', async ({ as }) => {
  for (const base_url of ['chat.acme.test', 'ftp://chat.acme.test', `${HERE}/path`, 'https://a@b.test', 'https://']) {
    const refused = as.ada(operations.changeAddress, { body: { base_url } })
    await expect(refused, base_url).rejects.toMatchObject({ status: 422 })
  }
})

test('an admin sets the URL: snippets, links and files use it, on every server and after a restart', async ({
  as,
  world,
  server,
}) => {
  const second = await startTestServer({}, undefined, server.database)
  expect((await as.ada(operations.address)).data.may_change).toBe(true)
  await as.ada(operations.changeAddress, { body: { base_url: HERE } })
  for (const each of [server, second]) {
    const page = async () => (await each.request('GET', '/env.js')).body
    await expect.poll(page, { timeout: 10_000 }).toContain(`"REACT_APP_URL":"${HERE}"`)
  }
  expect(await upload(server, world.ada.token)).toMatch(`${HERE}/files/`)
  await second.close()
  const third = await startTestServer({}, undefined, server.database)
  expect(third.context.config.baseUrl).toBe(HERE)
  await third.close()
  // BASE_URL takes precedence, and deletes the chosen address.
  const named = await startTestServer({ BASE_URL: 'https://named.test' }, undefined, server.database)
  expect(await upload(named, world.ada.token)).toMatch('https://named.test/files/')
  const refused = await named.request('PUT', '/api/installation/address', {
    token: world.ada.token,
    body: { base_url: HERE },
  })
  expect([refused.status, refused.body.error.message]).toEqual([409, expect.stringContaining('BASE_URL')])
  await named.close()
})
