import { randomUUID } from 'node:crypto'
import type { IntegrationName } from '#contract/connections/integrations.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { codeAt } from '#server/features/accounts/auth-sessions/totp.ts'
import { connectWebsite } from './connect.ts'
import { KEY, type TestServer } from './server.ts'
import { createApiKey, PASSWORD, startConversation, type World } from './world.ts'

/** Secrets of the operator, as settings. Without SMTP_URL, mails are kept. */
export const OPERATOR_SECRETS = {
  METRICS_TOKEN: 'secret-metrics-token-24680',
  MAIL_IN_KEY: 'secret-relay-key-1357924680',
  SLACK_CLIENT_SECRET: 'secret-slack-client-24680',
  SLACK_SIGNING_SECRET: 'secret-slack-signing-24680',
  GOOGLE_CLIENT_SECRET: 'secret-google-client-24680',
  HUBSPOT_CLIENT_SECRET: 'secret-hubspot-client-24680',
  INTERCOM_CLIENT_SECRET: 'secret-intercom-client-24680',
}

const INTEGRATIONS: IntegrationName[] = [
  'mailbox',
  'gmail',
  'slack',
  'slack:sync',
  'mattermost',
  'twilio',
  'telegram',
  'whatsapp',
  'google_sheets',
  'github',
  'hubspot',
  'intercom',
]

/** Secrets by what they are. */
export type Secrets = Record<string, string>

/** Creates a secret of every kind in Acme, and returns all of them. */
export async function makeSecrets(server: TestServer, world: World): Promise<Secrets> {
  const { ada, ben, carla, website } = world
  const call = async (method: string, path: string, body?: object, token: string = ada.token) => {
    const answer = await server.request(method, path, { token, body })
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
    return answer.body.data
  }
  const secrets: Secrets = { ...KEY, ...OPERATOR_SECRETS, password: PASSWORD }
  for (const [name, { token, renew_token }] of Object.entries({ ada, ben })) {
    Object.assign(secrets, { [`${name} session`]: token, [`${name} renewal`]: renew_token })
  }
  secrets.visitor = carla.token
  for (const scope of ['everything', 'read']) secrets[`${scope} key`] = await createApiKey(server, ada.token, scope)
  secrets.invitation = (await call('POST', '/api/user_invitations')).token
  await call('POST', '/api/user_invitation_emails', { to_address: 'invited@acme.test' })

  const webhook_url = 'http://10.0.0.1/hook'
  const { id } = await call('POST', '/api/event_subscriptions', { event_subscription: { webhook_url } })
  secrets['old webhook'] = (await call('POST', `/api/event_subscriptions/${id}/secret`)).secret
  secrets.webhook = (await call('POST', `/api/event_subscriptions/${id}/rotate_secret`)).secret
  secrets.identity = (await call('POST', `/api/inboxes/${website.id}/identity_secrets`, {})).secret

  const { conversation_id } = await startConversation(server, carla)
  secrets['shared link'] = (await call('POST', `/api/conversations/${conversation_id}/share`)).token
  secrets['push token'] = 'secret-expo-push-24680'
  await call('PUT', '/api/user_settings', { user_settings: { expo_push_token: secrets['push token'] } }, ben.token)
  const endpoint = 'https://push.example.com/send/secret-push-address-24680'
  secrets['push address'] = endpoint
  secrets['push secret'] = 'secret-push-key-24680-'
  const subscription = { endpoint, keys: { p256dh: `B${'A'.repeat(86)}`, auth: secrets['push secret'] } }
  await call('POST', '/api/push_devices', { device: { subscription } }, ben.token)
  const totp = (await call('POST', '/api/two_factor', { password: PASSWORD }, ben.token)).secret
  const code = codeAt(totp, Math.floor(Date.now() / 30_000))
  const { recovery_codes } = await call('PUT', '/api/two_factor', { code }, ben.token)
  Object.assign(secrets, { 'second factor': totp, 'recovery code': recovery_codes[0] })

  const session_token = `secret-recorder-${randomUUID()}${randomUUID()}`.slice(0, 60)
  const browser_session = { account_id: world.acme.id, customer_id: carla.customer_id, metadata: {} }
  await call('POST', '/api/browser_sessions', { browser_session: { ...browser_session, token: session_token } }, '')
  secrets.recorder = session_token
  const app = { client_id: 'an-app', client_secret: 'secret-own-app-24680', signing_secret: 'secret-own-signing-24680' }
  await call('PUT', '/api/integration_apps/slack', { app })
  Object.assign(secrets, { 'own app': app.client_secret, 'own app signing': app.signing_secret })
  secrets.consent = (await call('POST', '/api/oauth/starts', { integration: 'slack', inbox_id: website.id })).state
  secrets['model key'] = 'secret-model-key-24680'
  const model = { base_url: 'https://models.example.com/v1', model: 'small', key: secrets['model key'] }
  await call('PUT', '/api/language_model_settings', model)
  await connectAll(server, world, secrets)
  await mailAccess(server, world)
  return secrets
}

/** Connects every integration with credentials that hold a secret in each field. */
async function connectAll(server: TestServer, world: World, secrets: Secrets): Promise<void> {
  for (const integration of INTEGRATIONS) {
    const secret = (field: string) => {
      const value = `secret-${integration.replace(':', '-')}-${field}-24680`
      secrets[`${integration} ${field}`] = value
      return value
    }
    const credentials = {
      ...{ kind: 'token', imap_host: 'imap.acme.test', imap_port: 993, imap_security: 'tls', username: 'support' },
      ...{ smtp_host: 'smtp.acme.test', smtp_port: 465, smtp_security: 'tls', expires_at: null },
      ...{ mattermost_url: 'https://chat.acme.test', twilio_account_sid: 'AC1', url: 'https://chat.acme.test' },
      access_token: secret('access'),
      refresh_token: secret('refresh'),
      bot_token: secret('bot'),
      app_token: secret('app'),
      token: secret('token'),
      verification_token: secret('verification'),
      twilio_auth_token: secret('auth'),
      auth_token: secret('auth2'),
      app_secret: secret('app2'),
      password: secret('password'),
    }
    await connectWebsite(server, world, { integration, label: integration, credentials })
  }
}

/** Has every kind of mail written that gives access, whose links are in no answer. */
async function mailAccess(server: TestServer, { ada }: World): Promise<void> {
  await server.request('POST', '/api/reset_password', { body: { email: ada.email } })
  await server.request('POST', '/api/verification_emails', { token: ada.token })
}

/** The secrets in links of mails that give access, by the mail's kind. */
export async function readMailedSecrets({ context }: TestServer, account_id: string): Promise<Secrets> {
  const rows = await context.db
    .selectFrom('mails')
    .select(['id', 'kind', 'text'])
    .where('account_id', '=', account_id)
    .where('kind', 'in', ['verification', 'password_reset', 'invitation'])
    .execute()
  return Object.fromEntries(
    rows.flatMap(({ id, kind, text }) => {
      const secret = /(?:token=|register\/)([-\w]{20,})/.exec(text)?.[1]
      return secret ? [[`${kind} mail ${id}`, secret]] : []
    }),
  )
}

/** The ids that the answer of a list contains, for calls about one of its objects. */
export function idsIn(body: unknown): string[] {
  const rows = (body as { data?: unknown } | null)?.data
  return Array.isArray(rows) ? rows.flatMap(({ id }) => (id === undefined ? [] : [String(id)])).slice(0, 12) : []
}

/** The paths of a reading call for all ids of its kind. */
export function pathsOf({ path }: Endpoint, ids: Map<string, string[]>, knownIds: Record<string, string>): string[] {
  const noun = path.split('/')[2] ?? ''
  const filled = path.replace(/:(\w+)/g, (whole, name) => (name === 'id' ? whole : (knownIds[name] ?? randomUUID())))
  if (!filled.includes(':id')) return [filled]
  return (ids.get(noun) ?? [randomUUID()]).map((id) => filled.replaceAll(':id', id))
}
