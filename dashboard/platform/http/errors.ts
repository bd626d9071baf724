import i18next from 'i18next'
import { fieldLabel } from '#contract/field-label.ts'
import { notify } from '../../ui/notices.ts'
import { isDebugging } from '../environment.ts'
import { ApiError, type FieldErrors } from './request.ts'

export const GENERAL_ERROR = 'Something went wrong. Please contact us or try again in a few minutes.'

/** The message of refusals that only have field errors. */
const NO_SENTENCE = 'Unprocessable Entity'

/** The messages of refusals about an id that nothing has, or that is none: most often of an old or mistyped URL. */
const BARE = ['Not Found', 'Bad Request']

/** The message of a failed call for users: field errors, otherwise the server's message, otherwise a general one. */
export function errorText(error: unknown): string {
  // A message beside the field errors is a sentence that says it all.
  const hasSentence = error instanceof ApiError && !['', NO_SENTENCE].includes(error.message)
  if (
    error instanceof ApiError &&
    error.status === 422 &&
    !hasSentence &&
    error.errors &&
    Object.keys(error.errors).length > 0
  ) {
    return `Error: ${fieldTexts(error.errors).join(', ')}`
  }
  if (error instanceof ApiError && BARE.includes(error.message)) return i18next.t('not_there')
  // The message of a 500 is not meant for users.
  if (error instanceof ApiError && error.status === 500) return GENERAL_ERROR
  const message = error instanceof Error ? error.message : typeof error === 'string' ? error : ''
  return nameFields(message) || GENERAL_ERROR
}

/** Replaces the fields that a sentence for programs names, as in "The following parameters are required: inbox_id". */
function nameFields(message: string): string {
  return message
    .replace(/`(\w+)`/g, (_, field: string) => fieldLabel(field))
    .replace(/(?<=^The following parameters are required: ).*/, (fields) =>
      fields.split(', ').map(fieldLabel).join(', '),
    )
}

/** The general message for failures of sign-in and registration. */
export function credentialsErrorText(error: unknown): string {
  if (error instanceof ApiError) return error.errors || error.message ? errorText(error) : 'Invalid credentials'
  return 'Invalid credentials'
}

const MAX_SEND_ERROR_LENGTH = 60

/**
 * Why a message was not sent: the server's own reasons always. Long texts of other systems are replaced, because they would
 * not fit into the thread.
 */
export function sendErrorText(error: unknown): string {
  const text = error instanceof ApiError && error.status === 0 ? '' : errorText(error)
  const isOurs = error instanceof ApiError && error.isOurs
  return text && (isOurs || text.length < MAX_SEND_ERROR_LENGTH)
    ? `Failed to send: ${text}`
    : 'Message failed to send. Try again?'
}

/** A page that stays, because only a download began or a dialog kept it, logs again after this time. */
const LEAVING_MS = 3_000
let leavingSince = Number.NEGATIVE_INFINITY
globalThis.addEventListener?.('beforeunload', () => {
  leavingSince = performance.now()
})

/**
 * Logs an error to the console. In debug mode it is also shown. While the page is being left nothing is logged: the
 * browser ends its requests then, which all fail.
 */
export function logError(what: string, error: unknown) {
  if (performance.now() - leavingSince < LEAVING_MS) return
  console.error(what, error)
  if (isDebugging()) notify({ kind: 'error', title: 'Something went wrong!', text: errorText(error) })
}

/** Logs an error and shows it to the user. */
export function showError(what: string, error: unknown) {
  logError(what, error)
  notify({ kind: 'error', title: errorText(error) })
}

function fieldTexts(errors: FieldErrors): string[] {
  return Object.entries(errors).flatMap(([field, messages]) => {
    const texts = (Array.isArray(messages) ? messages : [messages]).filter((message) => typeof message === 'string')
    return texts.length > 0
      ? texts.map((message) => `${fieldLabel(field)} ${message}`)
      : [`invalid ${fieldLabel(field)}`]
  })
}
