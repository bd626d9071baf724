import type { FastifyInstance } from 'fastify'
import type { Conversation } from '#contract/conversations/conversations.ts'
import type { Message } from '#contract/conversations/messages.ts'
import { SERVER_LANGUAGES } from '../../../languages.ts'
import { escapeHtml } from '../../../platform/html.ts'
import { resetMail, twoFactorRemovedMail, verificationMail } from '../../accounts/auth-sessions/mail-templates.ts'
import { endedMail, failedMail, retentionMail } from '../../accounts/billing/mail-templates.ts'
import { invitationMail } from '../../accounts/invitations/mail-templates.ts'
import { brokenMail } from '../../connections/authorizations/broken-mail.ts'
import {
  conversationMail,
  deadlineMail,
  mentionMail,
  messageMail,
  replyMail,
} from '../../conversations/notifications/mail-templates.ts'
import { ratingMail } from '../../conversations/rating-requests/rating-mail.ts'
import { switchedOffMail } from '../../developers/webhooks/switched-off-mail.ts'
import { templateFailedMail } from '../email-templates/render-for-customer.ts'
import { transcriptExample, transcriptMail } from '../email-templates/transcript-template.ts'
import { type MailContent, renderHtml, renderText } from '../mails/mail-templates.ts'

const BASE = 'https://chat.example.com'
const PAGE = 'https://shop.example.com/desks'
const WHEN = '2026-11-21T09:41:00Z'

const user = {
  id: 1,
  object: 'user' as const,
  account_id: '',
  email: 'ada@example.com',
  role: 'admin' as const,
  full_name: 'Ada Marsh',
  display_name: 'Ada',
  profile_photo_url: null,
  created_at: WHEN,
  disabled_at: null,
  archived_at: null,
}

function message(fields: Partial<Message>): Message {
  return { conversation_id: 'c1', user: null, customer_id: null, user_id: null, created_at: WHEN, ...fields } as Message
}

const question = message({
  customer_id: 'k1',
  body: 'Is the <b>oak</b> desk still there?\nI would fetch it on Friday.',
})
const reply = message({ user_id: 1, user, body: 'It is, and I have put your name on it.' })
const customer = { id: 'k1', name: 'Carla Reyes', email: 'carla@customer.example' } as Conversation['customer']
const conversation = { id: 'c1', customer } as Conversation

/** Every mail with example texts. */
export function sampleMails(language: string): [string, MailContent][] {
  const company = 'Lumen & Oak'
  return [
    ['verification', verificationMail(language, `${BASE}/verify?token=…`)],
    ['password reset', resetMail(language, `${BASE}/reset?token=…`, 2)],
    ['second factor removed', twoFactorRemovedMail(language)],
    ['invitation', invitationMail(language, { name: 'Ada', company, href: `${BASE}/register/…` })],
    [
      'webhook switched off',
      switchedOffMail(language, { url: 'https://crm.example.com/hooks/parley', href: `${BASE}/developers` }),
    ],
    [
      'connection broken',
      brokenMail(language, {
        integration: 'mailbox',
        label: 'support@example.com',
        problem: 'The mail server refused the password.',
        href: `${BASE}/inboxes`,
      }),
    ],
    [
      'template failed',
      templateFailedMail(language, {
        failure: 'body, line 3: tag "fro" not found',
        href: `${BASE}/developers/_templates`,
      }),
    ],
    ['new conversation', conversationMail(language, { customer, message: question, page: PAGE, baseUrl: BASE })],
    ['new message', messageMail(language, { customer, message: question, baseUrl: BASE })],
    ['payment failed', failedMail(language, { href: `${BASE}/settings/billing`, until: WHEN })],
    ['plan ended', endedMail(language, { href: `${BASE}/settings/billing` })],
    ['retention', retentionMail(language, { href: `${BASE}/settings/billing`, days: 30, from: WHEN })],
    ['mention', mentionMail(language, { conversation, author: user, messages: [question, reply], baseUrl: BASE })],
    [
      'deadline',
      deadlineMail(language, {
        conversation_id: question.conversation_id,
        customer: 'Carla',
        messages: [question],
        baseUrl: BASE,
      }),
    ],
    [
      'reply',
      replyMail(language, {
        company,
        brand: { name: company, logo: null, color: '#2f5d46' },
        page: PAGE,
        messages: [question, reply],
        unsubscribe: `${BASE}/unsubscribe?token=…`,
      }),
    ],
    [
      'rating',
      ratingMail(language, {
        brand: { name: company, logo: null, color: '#2f5d46' },
        href: `${BASE}/rate?token=…`,
        canReply: true,
        unsubscribe: `${BASE}/unsubscribe?token=…`,
      }),
    ],
    ['forwarded conversation', transcriptMail(transcriptExample(language, BASE, company))],
  ]
}

const GALLERY_CSP = "default-src 'none'; style-src 'unsafe-inline'; frame-src 'self'; frame-ancestors 'self'"

/** A page showing every mail in every language. */
export function mailGallery(): string {
  const all = SERVER_LANGUAGES.flatMap((language) =>
    sampleMails(language).map(
      ([name, content]) => `<section><h2>${escapeHtml(name)} · ${language}</h2><p>${escapeHtml(content.subject)}</p>
<iframe sandbox title="${escapeHtml(name)} ${language}" srcdoc="${escapeHtml(renderHtml(content))}"></iframe>
<details><summary>Text</summary><pre>${escapeHtml(renderText(content))}</pre></details></section>`,
    ),
  )
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Mails of Parley</title><style>
body{margin:0;padding:32px;background:#f8f6f2;color:#17222d;font:15px/1.5 system-ui,sans-serif}
main{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(420px,100%),1fr));gap:32px}
h2{margin:0;font-size:16px}p{margin:0 0 8px;color:#5c6873}
iframe{width:100%;height:480px;border:1px solid #e6e1d8;border-radius:12px;background:#f6f5f2}
pre{white-space:pre-wrap;overflow-wrap:anywhere}</style></head>
<body><h1>Mails</h1><main>${all.join('\n')}</main></body></html>`
}

export function serveMailGallery(app: FastifyInstance): void {
  app.get('/api/docs/mails', (_request, reply) =>
    reply.type('text/html; charset=utf-8').header('content-security-policy', GALLERY_CSP).send(mailGallery()),
  )
}
