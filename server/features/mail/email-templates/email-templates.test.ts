import { randomUUID } from 'node:crypto'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { vi } from 'vitest'
import { messages } from '#contract/conversations/messages.ts'
import {
  DEFAULT_TEMPLATE_COLOR,
  emailTemplates,
  TEMPLATE_KINDS,
  TEMPLATE_VARIABLES,
  type TemplateDraft,
} from '#contract/mail/email-templates.ts'
import { mails } from '#contract/mail/mails.ts'
import { withoutBystanders } from '#tests/support/bystanders/watched.ts'
import { type Caller, expect, Refused, test } from '#tests/support/fixture.ts'
import type { TestServer } from '#tests/support/server.ts'
import { PASSWORD, startConversation, type World } from '#tests/support/world.ts'
import { mailReply } from '../../conversations/notifications/reply-mail.ts'
import { kinds } from './kinds.ts'
import { renderTemplate } from './render.ts'
import { replyExample, replyStart } from './reply-template.ts'

const TIMEOUT = { timeout: 30_000, interval: 50 }
const KIND = { params: { kind: 'reply' as const } }
const OWN: TemplateDraft = { subject: 'From {{ company.name }}', body: '<p>{{ texts.intro }}</p>', color: '#123456' }
const example = replyExample('en', 'https://chat.example.com', 'Lumen & Oak')
const render = (body: string, subject = 'Hi') => renderTemplate({ ...OWN, subject, body }, example)
const save = (ada: Caller, template: Partial<TemplateDraft> = {}) =>
  ada(emailTemplates.save, { ...KIND, body: { template: { ...OWN, ...template } } })
const preview = async (ada: Caller, template: Partial<TemplateDraft>) =>
  (await ada(emailTemplates.preview, { ...KIND, body: { template: { ...OWN, ...template } } })).data

/** The mail to a customer about a reply, as if its delay had passed. */
async function mailAbout(server: TestServer, world: World, as: { ada: Caller }, body: string) {
  const { conversation_id } = await startConversation(server, world.carla, 'A question')
  const { data } = await as.ada(messages.create, { body: { message: { id: randomUUID(), conversation_id, body } } })
  await mailReply.run(server.context, { account_id: world.acme.id, message_id: data.id })
  const stored = (await as.ada(mails.list)).data.find(({ kind }) => kind === 'reply')!
  return (await as.ada(mails.get, { params: stored })).data
}

test('a new account has the default templates', () => {
  const { subject, html, text } = renderTemplate(replyStart, example)
  expect(subject).toBe('New message from Lumen & Oak!')
  expect(html).toContain('Is the &lt;b&gt;oak&lt;/b&gt; desk still there?<br')
  expect(html).toContain('<a href="https://shop.example.com/desks"')
  expect(html).toContain(DEFAULT_TEMPLATE_COLOR)
  expect(text).toContain('It is, and I have put your name on it: https://shop.example.com/desks')
  expect(text).toContain('Is the <b>oak</b> desk still there?\nI would fetch it on Friday.')
  expect(text.match(/shop\.example\.com/g)).toHaveLength(2)
})

test('every variable that is offered can be inserted', () => {
  for (const kind of TEMPLATE_KINDS) {
    const variables = kinds[kind].example('en', 'https://chat.example.com', 'Lumen & Oak')
    for (const { name, snippet } of TEMPLATE_VARIABLES[kind]) {
      expect(renderTemplate({ ...OWN, body: snippet }, variables).html, `${kind} ${name}`).toContain('</body>')
    }
    expect(renderTemplate(kinds[kind].start, variables).text, kind).toContain('desk')
  }
})

test('texts of customers and the team are escaped', () => {
  const evil = { ...example, customer: { name: '<img src=x onerror=alert(1)>{{ 7 | times: 6 }}', email: '' } }
  const { html, subject } = renderTemplate(
    { ...OWN, subject: '{{ customer.name }}', body: '{{ customer.name }}' },
    evil,
  )
  expect(html).toContain('&lt;img src=x onerror=alert(1)&gt;{{ 7 | times: 6 }}')
  expect(subject).toBe('<img src=x onerror=alert(1)>{{ 7 | times: 6 }}')
})

test.each([
  ['<script>alert(1)</script><p>x</p>', 'alert'],
  ['<p onclick="alert(1)">x</p>', 'onclick'],
  ['<a href="javascript:alert(1)">x</a>', 'javascript'],
  ['<iframe src="https://a.test"></iframe>x', 'iframe'],
  ['<img src="data:image/svg+xml,x">', 'data:'],
  ['<style>@import "https://a.test"</style>x', 'import'],
  ['<p style="background: url(https://a.test/x)">x</p>', 'a.test'],
  ['<p style="width: expression(alert(1))">x</p>', 'expression'],
  ['<form action="https://a.test"><input name="a">x</form>', 'form'],
  ['<svg><a xlink:href="javascript:1">x</a></svg>', 'svg'],
  ['{{ "<script>alert(1)</script>" | raw }}x', 'alert'],
  ['<meta http-equiv="refresh" content="0;url=https://a.test">x', 'refresh'],
  ['<base href="https://a.test">x', 'a.test'],
])('nothing in a mail runs or loads: %s', (body, removed) => {
  expect(render(body).html).not.toContain(removed)
})

test('layout of mails stays', () => {
  const body =
    '<table width="100%" cellpadding="0"><tr><td style="color: rgb(1, 2, 3); padding: 4px">x</td></tr></table>'
  expect(render(body).html).toContain('style="color:rgb(1, 2, 3);padding:4px"')
  expect(render(body).html).toContain('<table width="100%" cellpadding="0">')
})

test('a mail without an unsubscribe link gets one', () => {
  expect(render('<p>x</p>').html).toContain('unsubscribe?token=example')
  expect(render('<p>x</p>').text).toContain('unsubscribe?token=example')
  const own = render('<a href="{{ unsubscribe_url }}">out</a>').html
  expect(own.match(/unsubscribe\?token/g)).toHaveLength(1)
})

test.each([
  ['<p>\n\n{% fro x %}', 3, 'tag "fro" not found'],
  ['\n{{ custmer.name }}', 2, 'undefined variable: custmer'],
  ['{{ customer.name | shout }}', 1, 'undefined filter: shout'],
  ['{% if customer.name %}', 1, 'not closed'],
  ['{% for i in (1..100000000) %}x{% endfor %}', 1, 'memory'],
  ['{% for i in (1..10000) %}{% for j in (1..10000) %}x{% endfor %}{% endfor %}', 1, ''],
  ['{% assign a = "xxxxxxxxxx" %}{% for i in (1..100) %}{% assign a = a | append: a %}{% endfor %}', 1, ''],
  ['{% include "/etc/passwd" %}', 1, ''],
  [`${'{% if customer.name %}'.repeat(60)}x${'{% endif %}'.repeat(60)}`, 1, 'nested too deeply'],
  ['<div>'.repeat(15_000), 1, 'nested too deeply'],
  ['{{ "<b>" | raw }}'.repeat(5_000), 1, 'nested too deeply'],
  ['{% render "x" %}', 1, ''],
  ['{{ customer.constructor }}', 1, 'undefined variable'],
])('an error is reported with its line: %s', async (body, line, message) => {
  expect(() => render(body)).toThrow(message)
  try {
    render(body)
  } catch (error) {
    expect(error).toMatchObject({ problem: { field: 'body', line } })
  }
})

test('a preview renders without saving, or returns the errors', async ({ as }) => {
  expect(await preview(as.ada, {})).toMatchObject({ subject: 'From Acme', problems: [] })
  const { problems, html } = await preview(as.ada, { subject: '{{ nobody }}' })
  expect(problems).toEqual([{ field: 'subject', line: 1, message: expect.stringContaining('nobody') }])
  expect(html).toBe('')
  const templates = (await as.ada(emailTemplates.list)).data
  expect(templates).toMatchObject(TEMPLATE_KINDS.map((kind) => ({ kind, is_default: true, ...kinds[kind].start })))
})

test('previews of deeply nested templates keep nobody waiting, and are refused', { timeout: 60_000 }, async ({
  as,
}) => {
  const delay = monitorEventLoopDelay({ resolution: 10 })
  delay.enable()
  const bodies = ['<div><b>'.repeat(6_000), '{% if true %}'.repeat(3_500), '{% for i in (1..9) %}'.repeat(2_000)]
  for (const body of bodies) {
    const previews = Array.from({ length: 10 }, () => preview(as.ada, { body }))
    for (const { problems } of await Promise.all(previews)) expect(problems).toHaveLength(1)
  }
  delay.disable()
  expect(delay.max / 1e6).toBeLessThan(2_000)
})

test('each save is a version, which can be restored; without one the default is used', async ({ as }) => {
  await save(as.ada)
  const { data: second } = await save(as.ada, { subject: 'Second' })
  expect(second).toMatchObject({ subject: 'Second', is_default: false, failed_at: null })
  const versions = async () => withoutBystanders((await as.ada(emailTemplates.versions, KIND)).data)
  const [latest, first] = await versions()
  expect([latest, first]).toMatchObject([
    { subject: 'Second', is_current: true },
    { subject: OWN.subject, is_current: false },
  ])
  const back = { params: { kind: 'reply' as const, version_id: first!.id } }
  expect((await as.ada(emailTemplates.restore, back)).data).toMatchObject(OWN)
  expect((await versions()).map(({ is_current }) => is_current)).toEqual([false, true])
  await as.ada(emailTemplates.reset, KIND)
  expect((await as.ada(emailTemplates.list)).data[0]).toMatchObject({ is_default: true, version_id: null })
  expect(await versions()).toHaveLength(2)
  await expect(as.olga(emailTemplates.restore, back)).rejects.toThrow('Not found')
  await expect(as.ben(emailTemplates.list)).rejects.toThrow('Unauthorized access')
})

test('the last fifty versions are kept', async ({ as, server }) => {
  const passwords = { password: PASSWORD, password_confirmation: PASSWORD }
  const user = { company_name: 'Writers', email: 'admin@writers.test', ...passwords }
  const { body } = await server.request('POST', '/api/registration', { body: { user } })
  const writer = as.holder(body.data.token)
  for (let number = 1; number <= 52; number++) await save(writer, { subject: `Version ${number}` })
  const rows = await server.context.db
    .selectFrom('email_template_versions')
    .select('subject')
    .where('account_id', '=', body.data.account_id)
    .orderBy('seq')
    .execute()
  expect(rows.map(({ subject }) => subject)).toEqual(Array.from({ length: 50 }, (_, at) => `Version ${at + 3}`))
})

test('a template that cannot be rendered is not saved', async ({ as }) => {
  const refused = save(as.ada, { body: 'a\n{% endfor %}' })
  await expect(refused).rejects.toThrow(Refused)
  await expect(refused).rejects.toMatchObject({ errors: { body: [expect.stringContaining('line 2')] } })
  await expect(save(as.ada, { color: 'url(x)' })).rejects.toMatchObject({ errors: { color: ['is invalid'] } })
})

test('a test mail is sent to the caller', async ({ as }) => {
  const { data } = await as.ada(emailTemplates.test, { ...KIND, body: { template: OWN } })
  expect(data.recipient).toBe('ada@acme.test')
  const sent = (await as.ada(mails.list)).data.find(({ kind }) => kind === 'template_test')
  expect(sent).toMatchObject({ recipient: 'ada@acme.test', subject: 'From Acme' })
})

test('customers get the account’s own mail, or the default if it fails; the admins are notified once', async ({
  as,
  server,
  world,
}) => {
  await save(as.ada, {
    body: '<h1>{{ agent.name }}</h1>{% for m in messages %}{{ m.text | text_to_html }}{% endfor %}',
  })
  const own = await mailAbout(server, world, as, 'Answered **<b>**')
  expect(own.subject).toBe('From Acme')
  expect(own.html).toContain('<h1>ada')
  expect(own.html).toContain('&lt;b&gt;')
  expect(own.text).toContain('<b>')
  // It works for the example, but not for every customer.
  await save(as.ada, {
    body: '{% if messages.size != 2 or messages[1].author == "Ada" %}x{% else %}{{ oops }}{% endif %}',
  })
  for (const text of ['Once', 'Twice']) {
    const fallen = await mailAbout(server, world, as, text)
    expect(fallen.subject).toBe('New message from Acme!')
    expect(fallen.text).toContain(text)
  }
  const alerts = (await as.ada(mails.list)).data.filter(({ kind }) => kind === 'template_failed')
  expect(alerts.map(({ recipient }) => recipient)).toEqual(expect.arrayContaining(['ada@acme.test']))
  expect(alerts.filter(({ recipient }) => recipient === 'ada@acme.test')).toHaveLength(1)
  const [template] = (await as.ada(emailTemplates.list)).data
  expect(template).toMatchObject({ failed_at: expect.any(String), failure: expect.stringContaining('oops') })
  await vi.waitFor(async () => expect((await save(as.ada)).data.failure).toBeNull(), TIMEOUT)
})
