import { expect } from 'vitest'
import { authSessions } from '#contract/accounts/auth-sessions.ts'
import { test as base } from '#tests/support/fixture.ts'
import { RELAY_KEY } from './support/incoming-mail.ts'
import { isInstalled, type ProxyName, startProxy } from './support/proxies.ts'
import { TestSocket } from './support/sockets.ts'
import { PASSWORD, startConversation } from './support/world.ts'

const test = base.extend(
  'env',
  { scope: 'file' },
  { TRUST_PROXY: '1', MAIL_IN_DOMAIN: 'in.acme.test', MAIL_IN_KEY: RELAY_KEY },
)

const MIB = 1024 * 1024

/** Whether a body of this size is let through. A proxy may answer and close the connection before all of it was sent. */
async function passes(url: string, bytes: number): Promise<boolean> {
  const headers = { 'content-type': 'message/rfc822' }
  const body = Buffer.alloc(bytes, 'Subject: large\r\n')
  const status = await fetch(url, { method: 'POST', headers, body }).then(
    (answer) => answer.status,
    () => 413,
  )
  return status !== 413
}

for (const name of ['apache2', 'haproxy'] satisfies ProxyName[]) {
  test.skipIf(!isInstalled(name))(
    `behind ${name} of Debian a chat is live, addresses are those of the clients, and bodies have the limits of the server`,
    async ({ as, server, world, onTestFinished }) => {
      const proxy = await startProxy(name, server.url)
      onTestFinished(() => proxy.stop())
      const socket = new TestSocket(proxy.url, { token: world.ben.token })
      onTestFinished(() => socket.close())
      const inbox = await socket.join(`notification:${world.acme.id}`)
      const { message } = await startConversation(server, world.carla, `Through ${name}`)
      await inbox.receive('shout', ({ id }) => id === message.id)

      const body = JSON.stringify({ user: { email: world.ada.email, password: PASSWORD } })
      // What a client claims about its own address is not believed.
      const headers = { 'content-type': 'application/json', 'x-forwarded-for': '203.0.113.66' }
      const signedIn = await fetch(`${proxy.url}${authSessions.signIn.path}`, { method: 'POST', headers, body })
      expect(signedIn.status).toBe(200)
      const { data } = (await signedIn.json()) as { data: { token: string } }
      const { data: sessions } = await as.holder(data.token)(authSessions.list)
      expect(sessions.find(({ is_current }) => is_current)?.address).toBe('127.0.0.1')

      const mails = `${proxy.url}/api/inbound_mail/${encodeURIComponent(RELAY_KEY)}?to=nobody@in.acme.test`
      expect(await passes(mails, 47 * MIB)).toBe(true)
      expect(await passes(mails, 49 * MIB)).toBe(false)
      expect(await passes(`${proxy.url}/api/upload`, 10 * MIB)).toBe(false)
      expect((await fetch(`${proxy.url}/metrics`)).status).toBe(404)
    },
  )
}
