import { expect, test } from 'vitest'
import type { WidgetSettings } from '#contract/widget/widgets.ts'
import { appearanceOf, readForm, writeForm } from './form.ts'
import { writeHtml, writeReact } from './snippets.ts'

const account = { company_name: 'Acme', subscription_plan: 'team', is_outside_working_hours: false }
const OFF = { show_agent_availability: false, require_email_upfront: false, is_open_by_default: false }
const TEXTS = { color: null, title: null, subtitle: null }
const NEVER_SET = { account, icon_variant: 'outlined', ...TEXTS, ...OFF } as WidgetSettings

test('unset fields show the default texts, with the company in the title', () => {
  expect(readForm(NEVER_SET)).toMatchObject({
    title: 'Welcome to Acme',
    subtitle: 'Ask us anything in the chat window below 😊',
    new_message_placeholder: 'Start typing...',
    agent_available_text: 'We are online!',
    agent_unavailable_text: 'We are currently unavailable.',
    color: '#0d5f7a',
    icon_variant: 'outlined',
    greeting: '',
  })
})

test('a subtitle may be blank, and the default one is shown in the visitor’s language', () => {
  const form = readForm({ ...NEVER_SET, subtitle: '' })
  expect(form.subtitle).toBe('')
  expect(writeForm(form, NEVER_SET.account).subtitle).toBe('')
  expect(writeForm(readForm(NEVER_SET), NEVER_SET.account).subtitle).toBeNull()
})

test('a default title is not saved, so that it follows the company’s name and the visitor’s language', () => {
  expect(writeForm(readForm(NEVER_SET), NEVER_SET.account).title).toBeNull()
  expect(readForm({ ...NEVER_SET, name: 'Lumen' }).title).toBe('Welcome to Lumen')
  expect(writeForm({ ...readForm(NEVER_SET), title: 'Welcome!' }, NEVER_SET.account).title).toBe('Welcome!')
})

test('every field of the page is sent', () => {
  const form = readForm(NEVER_SET)
  expect(Object.keys(writeForm(form, NEVER_SET.account)).sort()).toEqual(Object.keys(form).sort())
})

test('the preview receives settings in the chat window’s form', () => {
  const form = { ...readForm(NEVER_SET), title: 'Hello', color: '', is_hide_voice: true }
  expect(appearanceOf(form, NEVER_SET.account)).toMatchObject({
    title: 'Hello',
    primaryColor: '#0d5f7a',
    companyName: 'Acme',
    isHideVoice: true,
  })
})

const target = { account_id: 'a-1', inbox_id: 'i-1', base: 'https://chat.test' }

test('the snippet names account, inbox and server, and leaves the language to the website unless one is chosen', () => {
  const html = writeHtml(target)
  expect(html).toContain('token: "a-1"')
  expect(html).toContain('inbox: "i-1"')
  expect(html).not.toContain('language')
  expect(writeHtml({ ...target, language: 'ar' })).toContain('language: "ar"')
  expect(html).toContain('src="https://chat.test/widget.js?token=a-1&inbox=i-1"')
  expect(html).not.toContain('title')
  expect(writeReact(target)).toContain('token={"a-1"}')
})

test('no text in the snippet can end the script element', () => {
  const form = { ...readForm(NEVER_SET), title: '</script><script>alert(1)//' }
  expect(writeHtml(target, form)).toContain('title: "\\u003c/script>')
})
