import { randomUUID } from 'node:crypto'
import type { TestServer } from '../support/server.ts'
import { createApiKey, PASSWORD, register, startVisitor } from '../support/world.ts'

/** Every kind of caller. */
export const KINDS = ['admin by key', 'admin by session', 'agent', 'visitor', 'nobody'] as const
export type Kind = (typeof KINDS)[number]

/** People of a company of their own, so that no request changes anything of the named world. */
export class Callers {
  readonly #server: TestServer
  readonly #tokens: Partial<Record<Kind, string>> = {}
  account_id = ''
  #email = ''
  #agent = ''

  constructor(server: TestServer) {
    this.#server = server
  }

  /** Registers the company, or a new one if its admin can no longer sign in. */
  async start(): Promise<void> {
    const name = randomUUID().slice(0, 8)
    const admin = await register(this.#server, `Generated ${name}`, `admin-${name}@generated.test`)
    const invitation = await this.#server.request('POST', '/api/user_invitations', { token: admin.token })
    const agent = await register(this.#server, undefined, `agent-${name}@generated.test`, invitation.body.data.id)
    this.account_id = admin.account_id
    this.#email = admin.email
    this.#agent = agent.email
    await this.renew()
  }

  /** New credentials: some calls end those that they are made with. */
  async renew(): Promise<void> {
    const admin = await this.#signIn(this.#email)
    const agent = await this.#signIn(this.#agent)
    if (!admin || !agent) return this.start()
    const { token } = await startVisitor(this.#server, this.account_id, { name: 'Vera' })
    Object.assign(this.#tokens, {
      'admin by session': admin,
      agent,
      visitor: token,
      'admin by key': await createApiKey(this.#server, admin),
    })
  }

  tokenOf(kind: Kind): string | undefined {
    return this.#tokens[kind]
  }

  async #signIn(email: string): Promise<string | undefined> {
    const body = { user: { email, password: PASSWORD } }
    const answer = await this.#server.request('POST', '/api/session', { body })
    return answer.body?.data?.token
  }
}
