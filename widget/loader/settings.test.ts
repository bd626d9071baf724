import { expect, test } from 'vitest'
import { resolveSettings } from './config.ts'
import { comesFromScript } from './settings.ts'

const token = '0a4cf2a3-07c0-4ee9-bd0b-7a2e1d3c5b66'
const inbox = '5e0b8a9c-52c5-4d8e-9c0e-0d6f6f0f7a11'
const SCRIPT = `https://chat.test/widget.js?token=${token}`
const isOf = (config: object, script: string) => comesFromScript(resolveSettings(config, script), script)

test('the script’s settings are used only for the account and inbox in its URL', () => {
  expect(isOf({ token }, SCRIPT)).toBe(true)
  expect(isOf({ token, baseUrl: 'https://chat.test/' }, SCRIPT)).toBe(true)
  expect(isOf({ token, inbox }, `${SCRIPT}&inbox=${inbox}`)).toBe(true)
  expect(isOf({ token, inbox }, SCRIPT)).toBe(false)
  expect(isOf({ token }, `${SCRIPT}&inbox=${inbox}`)).toBe(false)
})

test('a widget with another server fetches the settings there', () => {
  expect(isOf({ token, baseUrl: 'https://other.test' }, SCRIPT)).toBe(false)
})
