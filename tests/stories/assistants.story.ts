import { createHash, randomUUID } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { expect } from '#tests/support/browser.ts'
import { call, expectNoFindings, findConversation, openSignedIn, type Scene, setScene, writeInShop } from './scene.ts'

const VERIFIER = 'a-verifier-that-is-long-enough-for-the-standard-0123456789'

let scene: Scene
/** The program on the person's machine, which waits for the answer. */
let program: Server
let redirect_uri: string
let answered: URL | undefined

beforeAll(async () => {
  scene = await setScene()
  program = createServer((request, response) => {
    if (request.url?.startsWith('/callback')) answered = new URL(request.url, redirect_uri)
    response.setHeader('content-type', 'text/html').end('<title>Program</title><h1>Back in the program</h1>')
  })
  await new Promise<void>((done) => program.listen(0, '127.0.0.1', done))
  redirect_uri = `http://127.0.0.1:${(program.address() as AddressInfo).port}/callback`
})
afterAll(async () => {
  program.close()
  await scene.close()
})

const post = async (path: string, body: object) => {
  const response = await fetch(`${scene.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return response.json()
}

/** The address that a program opens in the person's browser. */
async function consentAddress() {
  const { client_id } = await post('/oauth/register', { client_name: 'Desk Helper', redirect_uris: [redirect_uri] })
  const query = new URLSearchParams({
    client_id,
    redirect_uri,
    response_type: 'code',
    scope: 'read write send',
    state: 'abc',
    code_challenge: createHash('sha256').update(VERIFIER).digest('base64url'),
    code_challenge_method: 'S256',
  })
  return { client_id: String(client_id), path: `/assistants/authorize?${query}` }
}

const LOOKS = [
  ['light and wide', { viewport: { width: 1440, height: 900 }, colorScheme: 'light' }],
  ['dark and narrow', { viewport: { width: 390, height: 844 }, colorScheme: 'dark' }],
] as const

describe('assistants', () => {
  test('an admin switches them on, a program is allowed, writes a reply, and a person sends it', async () => {
    const { page, faults } = await openSignedIn(scene, '/settings/assistants')
    await expect(page.getByRole('heading', { name: 'Assistants' })).toBeVisible()
    await page.getByRole('switch', { name: 'Let assistants connect' }).check()
    await expect(page.getByText('No assistants yet')).toBeVisible()
    await expectNoFindings(page)

    const { client_id, path } = await consentAddress()
    await page.goto(`${scene.url}${path}`)
    await expect(page.getByText('A program that calls itself “Desk Helper” asks to act in your name')).toBeVisible()
    await expect(page.getByRole('checkbox', { name: 'Write replies' })).not.toBeChecked()
    await expectNoFindings(page)
    await page.getByRole('checkbox', { name: 'Write replies' }).check()
    await page.getByRole('button', { name: 'Allow' }).click()
    await expect(page.getByRole('heading', { name: 'Back in the program' })).toBeVisible()
    expect(answered?.searchParams.get('state')).toBe('abc')

    const tokens = await post('/oauth/token', {
      grant_type: 'authorization_code',
      client_id,
      code: answered?.searchParams.get('code'),
      redirect_uri,
      code_verifier: VERIFIER,
    })
    await writeInShop(scene, 'Is the brass lamp in stock?')
    const { id: conversation_id, last_number } = await findConversation(scene, 'brass')
    const client = new Client({ name: 'Desk Helper', version: '1' }, { versionNegotiation: { mode: 'auto' } })
    const requestInit = { headers: { authorization: `Bearer ${tokens.access_token}` } }
    await client.connect(new StreamableHTTPClientTransport(new URL(`${scene.url}/mcp`), { requestInit }))
    const reply = { id: randomUUID(), conversation_id, body: 'Yes, six of them.', last_seen_number: last_number }
    await client.callTool({ name: 'send_reply', arguments: reply })
    await client.close()

    await page.goto(`${scene.url}/conversations/all/${conversation_id}`)
    await expect(page.getByText('Written by an assistant. It is sent once you press Send now.')).toBeVisible()
    await page.getByRole('button', { name: 'Send now' }).click()
    await expect(page.getByText('Written by an assistant.')).toHaveCount(0)
    await expect(page.getByRole('log').getByText('Yes, six of them.')).toBeVisible()

    await page.goto(`${scene.url}/settings/assistants`)
    await expect(page.getByRole('row', { name: /Desk Helper/ })).toContainText('Write replies')
    await page.getByRole('button', { name: 'Disconnect Desk Helper' }).click()
    await page.getByRole('button', { name: 'Yes' }).click()
    await expect(page.getByText('No assistants yet')).toBeVisible()
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('a refusal tells the program, and a request that is not safe is shown as a sentence', async () => {
    const { page } = await openSignedIn(scene, (await consentAddress()).path)
    await page.getByRole('button', { name: 'Refuse' }).click()
    await expect(page.getByRole('heading', { name: 'Back in the program' })).toBeVisible()
    expect(answered?.searchParams.get('error')).toBe('access_denied')
    await page.goto(`${scene.url}/assistants/authorize?client_id=made-up&redirect_uri=https://evil.example/`)
    await expect(page.getByText('This program is not known here.')).toBeVisible()
    await page.context().close()
  })

  test.each(LOOKS)('the pages keep their layout, %s', async (_name, look) => {
    await call(scene.url, 'PUT', '/api/assistant_settings', { is_enabled: true }, scene.token)
    const { page } = await openSignedIn(scene, '/settings/assistants', look)
    await expect(page.getByText('No assistants yet')).toBeVisible()
    await expectNoFindings(page)
    await page.goto(`${scene.url}${(await consentAddress()).path}`)
    await expect(page.getByRole('button', { name: 'Allow' })).toBeVisible()
    await expectNoFindings(page)
    const width = await page.evaluate(() => document.documentElement.scrollWidth)
    expect(width).toBeLessThanOrEqual(look.viewport.width)
    await page.context().close()
  })
})
