import { describe, expect, it } from 'vitest'
import { checkRegistration, type RegistrationFields, safeRedirect } from './auth-checks.ts'

const valid: RegistrationFields = {
  company_name: 'Acme',
  email: 'ada@acme.test',
  password: 'longenough',
  password_confirmation: 'longenough',
}

describe('registration is checked in this order', () => {
  const wrong = { company_name: '', email: '', password: '', password_confirmation: 'other' }

  it('first asks for the company name', () => {
    expect(checkRegistration(wrong, false)?.reason).toBe('no_company_name')
  })

  it('asks for no company name when there is an invite token', () => {
    expect(checkRegistration(wrong, true)?.reason).toBe('no_email')
  })

  it('then asks for an e-mail', () => {
    expect(checkRegistration({ ...wrong, company_name: 'Acme' }, false)?.reason).toBe('no_email')
  })

  it('then for a password', () => {
    expect(checkRegistration({ ...valid, password: '' }, false)?.reason).toBe('no_password')
  })

  it('then for one of at least 8 characters', () => {
    expect(checkRegistration({ ...valid, password: '1234567' }, false)?.reason).toBe('short_password')
    expect(
      checkRegistration({ ...valid, password: '12345678', password_confirmation: '12345678' }, false),
    ).toBeUndefined()
  })

  it('then for a confirmation that matches', () => {
    expect(checkRegistration({ ...valid, password_confirmation: 'longenoug' }, false)).toEqual({
      field: 'password_confirmation',
      reason: 'other_password',
    })
  })

  it('lets a complete registration pass', () => {
    expect(checkRegistration(valid, false)).toBeUndefined()
  })
})

describe('the redirect parameter', () => {
  it('leads to a path of this site', () => {
    expect(safeRedirect('/conversations/me/1?a=b', '/conversations')).toBe('/conversations/me/1?a=b')
  })

  it.each([null, '', 'https://evil.test', '//evil.test', '/\\evil.test', 'javascript:alert(1)'])(
    'never leads elsewhere (%s)',
    (redirect) => {
      expect(safeRedirect(redirect, '/conversations')).toBe('/conversations')
    },
  )
})
