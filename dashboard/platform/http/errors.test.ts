import { describe, expect, it } from 'vitest'
import { credentialsErrorText, errorText, sendErrorText } from './errors.ts'
import { ApiError } from './request.ts'

const refusal = (status: number, message: string, errors?: object) =>
  new ApiError(status, message, { error: { status, message, errors } })

describe('the general error text', () => {
  it('names each field of a 422', () => {
    const errors = { name: ["can't be blank"], email: ['is invalid', 'has already been taken'] }
    expect(errorText(refusal(422, 'Unprocessable Entity', errors))).toBe(
      "Error: name can't be blank, email is invalid, email has already been taken",
    )
  })

  it('calls a field invalid when its errors are nested', () => {
    expect(errorText(refusal(422, 'Unprocessable Entity', { working_hours: [{ day: ['is invalid'] }] }))).toBe(
      'Error: invalid working_hours',
    )
  })

  it('is otherwise the message of the server, or of the error', () => {
    expect(errorText(refusal(403, 'Forbidden for you'))).toBe('Forbidden for you')
    expect(errorText(refusal(422, 'A message of its own'))).toBe('A message of its own')
    expect(errorText(new Error('Own message'))).toBe('Own message')
  })

  it('is a general sentence without any message', () => {
    const general = 'Something went wrong. Please contact us or try again in a few minutes.'
    expect(errorText(refusal(502, ''))).toBe(general)
    expect(errorText(refusal(500, 'Internal Server Error'))).toBe(general)
    expect(errorText(undefined)).toBe(general)
  })
})

describe('a refused sign-in or registration', () => {
  it("shows the server's message, or Invalid credentials when there is none", () => {
    expect(credentialsErrorText(refusal(401, 'Invalid email or password'))).toBe('Invalid email or password')
    expect(credentialsErrorText(refusal(401, ''))).toBe('Invalid credentials')
    expect(credentialsErrorText(new TypeError('x is undefined'))).toBe('Invalid credentials')
  })

  it('names the field when there is one', () => {
    expect(credentialsErrorText(refusal(422, 'Unprocessable Entity', { email: ['has already been taken'] }))).toBe(
      'Error: email has already been taken',
    )
  })
})

describe('a message that was not sent', () => {
  it('says why when the reason is under 60 characters', () => {
    expect(sendErrorText(refusal(422, 'x'.repeat(59)))).toBe(`Failed to send: ${'x'.repeat(59)}`)
    expect(sendErrorText(refusal(422, 'x'.repeat(60)))).toBe('Message failed to send. Try again?')
  })
})
