import { createCipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { CannotDecrypt, createKeyring } from './keyring.ts'

const OLD = 'the key that was used until yesterday'
const NEW = 'the key that has been used since today'
const context = { purpose: 'two_factors.secret', account_id: 'acme', row: '7' }

test('a value is decrypted in the same place', () => {
  const keys = createKeyring(NEW)
  const encrypted = keys.encrypt(context, 'JBSWY3DP ✓')
  expect(keys.decrypt(context, encrypted)).toBe('JBSWY3DP ✓')
  expect(encrypted.includes('JBSWY3DP')).toBe(false)
})

test.each([
  ['of another row', { ...context, row: '8' }],
  ['of another account', { ...context, account_id: 'other' }],
  ['for another purpose', { ...context, purpose: 'identity_secrets.sealed' }],
])('a value cannot be read as that %s', (_, other) => {
  const keys = createKeyring(NEW)
  expect(() => keys.decrypt(other, keys.encrypt(context, 'secret'))).toThrow(CannotDecrypt)
})

test('any changed byte is detected', () => {
  const keys = createKeyring(NEW)
  const encrypted = keys.encrypt(context, 'secret')
  for (let at = 0; at < encrypted.length; at++) {
    const changed = Buffer.from(encrypted)
    changed[at]! ^= 1
    expect(() => keys.decrypt(context, changed)).toThrow(CannotDecrypt)
  }
})

test('after a change of the key, values of the previous one are read while it is configured', () => {
  const encrypted = createKeyring(OLD).encrypt(context, 'secret')
  const both = createKeyring(NEW, OLD)
  expect(both.decrypt(context, encrypted)).toBe('secret')
  expect(both.isCurrent(encrypted)).toBe(false)
  expect(both.isCurrent(both.encrypt(context, 'secret'))).toBe(true)
  expect(both.previousId).toBe(createKeyring(OLD).id)
  expect(() => createKeyring(NEW).decrypt(context, encrypted)).toThrow(CannotDecrypt)
})

test('values of the first format are still read, and count as outdated', () => {
  const iv = randomBytes(12)
  const key = Buffer.from(hkdfSync('sha256', OLD, '', 'parley sealed secrets', 32))
  const cipher = createCipheriv('aes-256-gcm', key, iv)
  const bytes = Buffer.concat([cipher.update('secret', 'utf8'), cipher.final()])
  const encrypted = Buffer.concat([iv, cipher.getAuthTag(), bytes])
  const keys = createKeyring(NEW, OLD)
  expect(keys.decrypt(context, encrypted)).toBe('secret')
  expect(keys.isCurrent(encrypted)).toBe(false)
  expect(() => createKeyring(NEW).decrypt(context, encrypted)).toThrow(CannotDecrypt)
})
