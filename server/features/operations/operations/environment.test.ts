import { expect, test } from 'vitest'
import { readConfig } from '../../../config.ts'
import { browserEnvironment } from './environment.ts'

const TOKEN = '3f2b1c9e-58b3-4c6e-9d1a-0a2b3c4d5e6f'
const environment = (env: Record<string, string>): Record<string, unknown> => {
  const [, json = ''] = /^window\.__ENV__ = (.*);\n$/.exec(browserEnvironment(readConfig(env))) ?? []
  return JSON.parse(json)
}
const supportChat = (env: Record<string, string>) => environment(env).PARLEY_SUPPORT_CHAT

test('the dashboard receives the enabled features, in the format of Papercups’ page', () => {
  expect(environment({})).toMatchObject({
    REACT_APP_STORYTIME_ENABLED: '1',
    REACT_APP_FILE_UPLOADS_ENABLED: '1',
    PARLEY_BILLING_ENABLED: '0',
    PARLEY_OIDC_NAME: null,
  })
  expect(environment({ STORYTIME: 'off', FILE_UPLOADS: 'none', BILLING: 'on' })).toMatchObject({
    REACT_APP_STORYTIME_ENABLED: '0',
    REACT_APP_FILE_UPLOADS_ENABLED: '0',
    PARLEY_BILLING_ENABLED: '1',
  })
})

test('after the first company the dashboard offers no registration, unless the operator opens it', () => {
  const offered = (REGISTRATION: string, isNew: boolean) =>
    browserEnvironment(readConfig({ REGISTRATION }), { isNew }).includes('"PARLEY_REGISTRATION":"open"')
  expect(['', 'open', 'invite'].map((setting) => offered(setting, true))).toEqual([true, true, false])
  expect(['', 'open', 'invite'].map((setting) => offered(setting, false))).toEqual([false, true, false])
})

test('the support chat is on if it is configured and reachable', () => {
  expect(supportChat({})).toBeNull()
  expect(supportChat({ SUPPORT_CHAT: 'on' })).toBeNull()
  expect(supportChat({ SUPPORT_CHAT_TOKEN: TOKEN })).toBeNull()
  expect(supportChat({ SUPPORT_CHAT: 'on', SUPPORT_CHAT_TOKEN: TOKEN })).toEqual({
    token: TOKEN,
    inbox: null,
    base: null,
  })
})

test('the support chat of another installation is found at its origin', () => {
  const SUPPORT_CHAT_URL = 'https://support.example.com/some/where'
  expect(supportChat({ SUPPORT_CHAT: 'on', SUPPORT_CHAT_TOKEN: TOKEN, SUPPORT_CHAT_URL })).toMatchObject({
    base: 'https://support.example.com',
  })
})

test('labels and the widget use the configured language, or that of their readers', () => {
  const unset = { PARLEY_MESSAGE_LABELS: null, PARLEY_WIDGET_LANGUAGE: null }
  expect(environment({})).toMatchObject(unset)
  const set = { PARLEY_MESSAGE_LABELS: 'vi', PARLEY_WIDGET_LANGUAGE: 'ar' }
  expect(environment({ MESSAGE_LABELS: 'vi', WIDGET_LANGUAGE: 'ar' })).toMatchObject(set)
})
