import { expect, test } from 'vitest'
import { readAddress, readAppearance } from './settings.ts'

const ACCOUNT = '0a4cf2a3-07c0-4ee9-bd0b-7a2e1d3c5b66'

test('the page can change the window’s appearance, but not its server or account', () => {
  const appearance = readAppearance({
    title: 'Hi',
    baseUrl: 'https://evil.test',
    token: 'x',
    accountId: 'x',
    inbox: 'y',
    closeable: 0,
  })
  expect(appearance).toEqual({ title: 'Hi', closeable: false })
})

test('the frame’s URL is parsed as published pages write it', () => {
  const address = readAddress(
    `?accountId=${ACCOUNT}&inbox=undefined&showAgentAvailability=1&version=1.3.1&ts=5&metadata=${encodeURIComponent('{"name":"Carla"}')}`,
  )!
  expect(address).toMatchObject({ account_id: ACCOUNT, inbox_id: undefined, isToggled: true, ts: '5' })
  expect(address.appearance.showAgentAvailability).toBe(true)
  expect(address.metadata).toEqual({ name: 'Carla' })
  expect(readAddress('?title=Hi')).toBeUndefined()
})

test('pages up to version 1.1.2, which do not report opening, get an open window without a close button', () => {
  for (const version of ['', '&version=1.0.0', '&version=1.1.2&closeable=1']) {
    const { isToggled, appearance } = readAddress(`?token=${ACCOUNT}${version}`)!
    expect({ isToggled, closeable: appearance.closeable }, version).toEqual({ isToggled: false, closeable: false })
  }
  for (const version of ['1.1.3', '1.2.0', '2.0.0']) {
    const { isToggled, appearance } = readAddress(`?token=${ACCOUNT}&version=${version}&closeable=1`)!
    expect({ isToggled, closeable: appearance.closeable }, version).toEqual({ isToggled: true, closeable: true })
  }
})

test('saved settings that the page has fetched are used, including hours and company', () => {
  const account = { company_name: 'Acme', subscription_plan: 'team', is_outside_working_hours: true }
  const saved = JSON.stringify({ title: 'Ask', color: null, is_hide_voice: true, name: null, account })
  expect(readAddress(`?token=${ACCOUNT}&saved=${encodeURIComponent(saved)}`)!.saved).toEqual({
    title: 'Ask',
    companyName: 'Acme',
    isHideVoice: true,
    isOutsideWorkingHours: true,
    subscriptionPlan: 'team',
  })
  expect(readAddress(`?token=${ACCOUNT}&saved=nonsense`)!.saved).toBeUndefined()
})

test('default texts that were saved are shown in the window’s language', () => {
  const account = { company_name: 'Acme', subscription_plan: 'team', is_outside_working_hours: false }
  const defaults = { title: 'Welcome to Acme', subtitle: 'Ask us anything in the chat window below 😊' }
  const availability = { agent_available_text: 'We are online!', new_message_placeholder: 'Start typing...' }
  const read = (settings: object) =>
    readAddress(`?token=${ACCOUNT}&saved=${encodeURIComponent(JSON.stringify({ ...settings, account }))}`)!.saved
  expect(Object.keys(read({ ...defaults, ...availability })!)).not.toEqual(
    expect.arrayContaining(['title', 'subtitle', 'agentAvailableText', 'newMessagePlaceholder']),
  )
  expect(read({ title: 'Welcome to our shop', subtitle: '' })).toMatchObject({
    title: 'Welcome to our shop',
    subtitle: '',
  })
})
