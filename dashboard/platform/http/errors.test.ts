import i18next from 'i18next'
import { describe, expect, it } from 'vitest'
import common from '../../../locales/en/dashboard/common.json' with { type: 'json' }
import { credentialsErrorText, errorText, sendErrorText } from './errors.ts'
import { ApiError } from './request.ts'

const refusal = (status: number, message: string, errors?: object, more: object = {}) =>
  new ApiError(status, message, { error: { status, message, errors, ...more } })

describe('the general error text', () => {
  it('names each field of a 422', () => {
    const errors = { name: ["can't be blank"], email: ['is invalid', 'has already been taken'] }
    expect(errorText(refusal(422, 'Unprocessable Entity', errors))).toBe(
      "Error: name can't be blank, email is invalid, email has already been taken",
    )
  })

  it('calls a field invalid when its errors are nested', () => {
    expect(errorText(refusal(422, 'Unprocessable Entity', { working_hours: [{ day: ['is invalid'] }] }))).toBe(
      'Error: invalid working hours',
    )
  })

  it('names no field as programs do', () => {
    const errors = { 'authorization.bot_token': ["can't be blank"], inbox_id: ['does not exist'], webhook_url: ['is'] }
    expect(errorText(refusal(422, 'Unprocessable Entity', errors))).toBe(
      "Error: bot token can't be blank, inbox does not exist, webhook URL is",
    )
    expect(errorText(refusal(400, 'The following parameters are required: from_date, source_email_address'))).toBe(
      'The following parameters are required: from date, source email address',
    )
    expect(errorText(refusal(422, 'Send the other inbox as `move_to`.'))).toBe('Send the other inbox as move to.')
  })

  it('is otherwise the message of the server, or of the error', () => {
    expect(errorText(refusal(403, 'Forbidden for you'))).toBe('Forbidden for you')
    expect(errorText(refusal(422, 'A message of its own'))).toBe('A message of its own')
    expect(errorText(new Error('Own message'))).toBe('Own message')
  })

  it('says of what has no such id, or none at all, that it does not exist', async () => {
    await i18next.init({ lng: 'en', resources: { en: { translation: common } } })
    const sentence = 'It does not exist, or it was deleted.'
    expect([refusal(404, 'Not Found'), refusal(400, 'Bad Request')].map(errorText)).toEqual([sentence, sentence])
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
  it('says why when a reason of another system is under 60 characters', () => {
    const foreign = (message: string) => refusal(422, message, undefined, { is_foreign: true })
    expect(sendErrorText(foreign('x'.repeat(59)))).toBe(`Failed to send: ${'x'.repeat(59)}`)
    expect(sendErrorText(foreign('x'.repeat(60)))).toBe('Message failed to send. Try again?')
    expect(sendErrorText(new ApiError(502, 'x'.repeat(60)))).toBe('Message failed to send. Try again?')
  })

  it("always says the server's own reason, and names no field beside a sentence", () => {
    const sentence =
      'This customer is answered by e-mail, and no mail server is set up. Connect a mailbox, or write a note.'
    expect(sendErrorText(refusal(422, sentence))).toBe(`Failed to send: ${sentence}`)
    expect(sendErrorText(refusal(422, sentence, { body: [sentence] }))).toBe(`Failed to send: ${sentence}`)
  })
})
