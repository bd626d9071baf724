import { randomBytes, randomUUID } from 'node:crypto'
import { inject } from 'vitest'
import { WORLD } from './database.ts'
import type { TestServer } from './server.ts'

export interface Person {
  id: number
  email: string
  token: string
  renew_token: string
}

export interface VisitorInWorld {
  token: string
  customer_id: string
}

export const PASSWORD = 'correct horse battery'

/**
 * The world that every test knows: Acme with the admin Ada and the user Ben, the known customer Carla, the inboxes
 * Website (primary) and Billing; and a second account, Other, with Olga, whose calls must be refused. It is created
 * once for the whole run, together with bystanders (`bystanders/making.ts`); each test file signs its people in again.
 */
export async function createWorld(server: TestServer): Promise<World> {
  if (server.database.template !== WORLD) return makeWorld(server)
  const world = inject('world')
  const [ada, ben, olga] = await Promise.all([world.ada, world.ben, world.olga].map((person) => renew(server, person)))
  return { ...world, ada, ben, olga } as World
}

/** A person with new tokens, which are valid however long ago the run began. */
export async function renew<One extends Person>(server: TestServer, person: One): Promise<One> {
  const { status, body } = await server.request('POST', '/api/session/renew', { token: person.renew_token })
  if (status !== 200) throw new Error(`${person.email} could not sign in anew: ${JSON.stringify(body)}`)
  return { ...person, token: body.data.token, renew_token: body.data.renew_token }
}

/** Creates the named world in an empty database, through public calls. */
export async function makeWorld(server: TestServer) {
  const ada = await register(server, 'Acme', 'ada@acme.test')
  const olga = await register(server, 'Other', 'olga@other.test')
  const invitation = await server.request('POST', '/api/user_invitations', { token: ada.token })
  const ben = await register(server, undefined, 'ben@acme.test', invitation.body.data.id)
  const website = (await server.request('GET', '/api/inboxes/primary', { token: ada.token })).body.data
  const billing = await server.request('POST', '/api/inboxes', {
    token: ada.token,
    body: { inbox: { name: 'Billing' } },
  })
  const carla = await startVisitor(server, ada.account_id, { name: 'Carla', email: 'carla@customer.test' })
  return {
    acme: { id: ada.account_id },
    other: { id: olga.account_id },
    ada,
    ben,
    olga,
    carla,
    website: { id: website.id as string },
    billing: { id: billing.body.data.id as string },
  }
}

export type World = Awaited<ReturnType<typeof makeWorld>>

/** Registers a company with its first admin, or an invited user. */
export async function register(
  server: TestServer,
  company_name: string | undefined,
  email: string,
  invite_token?: string,
) {
  const { status, body } = await server.request('POST', '/api/registration', {
    body: { user: { company_name, invite_token, email, password: PASSWORD, password_confirmation: PASSWORD } },
  })
  if (status !== 200) throw new Error(`${email} could not register: ${JSON.stringify(body)}`)
  const { user_id, account_id, token, renew_token } = body.data
  return { id: user_id as number, email, account_id: account_id as string, token, renew_token } as Person & {
    account_id: string
  }
}

/** An API key of the admin whose token is given. */
export async function createApiKey(server: TestServer, token: string, scope = 'everything'): Promise<string> {
  const { status, body } = await server.request('POST', '/api/personal_api_keys', {
    token,
    body: { label: 'A program', scope },
  })
  if (status !== 201) throw new Error(`No key was made: ${JSON.stringify(body)}`)
  return body.data.value
}

/** A customer's browser with a visitor session. */
export async function startVisitor(
  server: TestServer,
  account_id: string,
  customer: Record<string, unknown> = {},
  more: Record<string, unknown> = {},
): Promise<VisitorInWorld> {
  const token = randomBytes(32).toString('base64url')
  const customer_id = randomUUID()
  const { status, body } = await server.request('POST', '/api/visitor_sessions', {
    body: { visitor_session: { account_id, token, customer_id, customer, ...more } },
  })
  if (status !== 201) throw new Error(`The visitor could not start: ${JSON.stringify(body)}`)
  return { token, customer_id }
}

/** Opens a conversation as a visitor with a first message; returns both. */
export async function startConversation(
  server: TestServer,
  visitor: VisitorInWorld,
  body = 'Hello?',
  inbox_id?: string,
) {
  const { body: opened } = await server.request('POST', '/api/conversations', {
    token: visitor.token,
    body: { conversation: { inbox_id } },
  })
  const conversation_id: string = opened.data.id
  const { body: posted } = await server.request('POST', '/api/messages', {
    token: visitor.token,
    body: { message: { conversation_id, body, id: randomUUID() } },
  })
  return { conversation_id, message: posted.data }
}
