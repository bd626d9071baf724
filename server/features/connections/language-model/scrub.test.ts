import { expect, test } from 'vitest'
import { scrub } from './scrub.ts'

test.each(['My card is 4111 1111 1111 1111, please refund it.', '4242-4242-4242-4242', '378282246310005'])(
  'a card number does not leave: %s',
  (text) => {
    expect(scrub(text)).toContain('[removed card number]')
    expect(scrub(text)).not.toMatch(/\d{4}/)
  },
)

test.each(['Order 1234 5678 9012 3456', 'Call +49 30 1234567', '20261127', 'IBAN DE89370400440532013000'])(
  'a number that is no card number stays: %s',
  (text) => {
    expect(scrub(text)).toBe(text)
  },
)

test.each([
  ['parley_api_', 'our own key is parley_api_aB3dE5gH7jK9mN1pQ3sT5vW7', 'aB3dE5gH7'],
  ['OpenAI', 'key sk-proj-abcdefghij0123456789KLMNOP', 'abcdefghij'],
  ['GitHub', 'ghp_abcdefghijklmnopqrstuvwxyz0123456789', 'abcdefghij'],
  ['AWS', 'AKIAIOSFODNN7EXAMPLE', 'IOSFODNN7'],
  ['JWT', 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJl', 'eyJzdWIi'],
  ['header', 'Authorization: Bearer abc.def-ghijkl123', 'ghijkl'],
  ['private key', '-----BEGIN RSA PRIVATE KEY-----\nMIIEow\n-----END RSA PRIVATE KEY-----', 'MIIEow'],
  ['password', 'My password is hunter2!', 'hunter2'],
  ['Passwort', 'Passwort: geheim123', 'geheim'],
  ['mot de passe', 'mon mot de passe est soleil99', 'soleil'],
  ['contraseña', 'contraseña: sol-y-luna', 'luna'],
  ['senha', 'A senha é abc12345', 'abc'],
  ['mật khẩu', 'mật khẩu: bimat99', 'bimat'],
  ['security code', 'CVC: 123', '123'],
])('a secret does not leave: %s', (_name, text, secret) => {
  expect(scrub(text)).not.toContain(secret)
  expect(scrub(text)).toContain('[removed secret]')
})

test.each([
  'https://chat.acme.test/reset?token=abc',
  'https://chat.acme.test/share/8vJq2Zt0kLmN4pQrS6uVwX',
  'https://acme.test/login?next=/&code=123456',
  'https://ada:lovelace@acme.test/',
  'https://acme.test/#access_token=abc',
  'https://bucket.example/file?X-Amz-Signature=0123456789abcdef',
])('a link that gives access does not leave: %s', (link) => {
  expect(scrub(`See ${link} please`)).toBe('See [removed link] please')
})

test.each([
  'https://acme.test/lamps/oak-table-lamp?color=red',
  'https://help.acme.test/en/articles/returns-and-refunds',
])('an ordinary link stays: %s', (link) => {
  expect(scrub(`See ${link} please`)).toBe(`See ${link} please`)
})

test('long texts are read in linear time', () => {
  for (const text of ['password '.repeat(20_000), '1 '.repeat(50_000), 'https://'.repeat(20_000), 'eyJ'.repeat(40_000)])
    expect(typeof scrub(text)).toBe('string')
}, 5_000)
