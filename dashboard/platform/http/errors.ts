import { notify } from '../../ui/notices.ts'
import { isDebugging } from '../environment.ts'
import { ApiError, type FieldErrors } from './request.ts'

export const GENERAL_ERROR = 'Something went wrong. Please contact us or try again in a few minutes.'

/** What a person is told about a failed call: field errors, else the server's sentence, else the general one. */
export function errorText(error: unknown): string {
  if (error instanceof ApiError && error.status === 422 && error.errors && Object.keys(error.errors).length > 0) {
    return `Error: ${fieldTexts(error.errors).join(', ')}`
  }
  // A server that is at fault itself says so in words for programs.
  if (error instanceof ApiError && error.status === 500) return GENERAL_ERROR
  const message = error instanceof Error ? error.message : typeof error === 'string' ? error : ''
  return message || GENERAL_ERROR
}

/** Sign-in and registration say so when the server gives no reason. */
export function credentialsErrorText(error: unknown): string {
  if (error instanceof ApiError) return error.errors || error.message ? errorText(error) : 'Invalid credentials'
  return 'Invalid credentials'
}

const LONGEST_SEND_ERROR = 60

/** Why a message was not sent: short reasons are told, long ones would not fit the thread. */
export function sendErrorText(error: unknown): string {
  const text = error instanceof ApiError && error.status === 0 ? '' : errorText(error)
  return text && text.length < LONGEST_SEND_ERROR ? `Failed to send: ${text}` : 'Message failed to send. Try again?'
}

/** Writes an error to the console. In debug mode it also shows. */
export function logError(what: string, error: unknown) {
  console.error(what, error)
  if (isDebugging()) notify({ kind: 'error', title: 'Something went wrong!', text: errorText(error) })
}

/** Logs an error and tells whoever is watching. */
export function showError(what: string, error: unknown) {
  logError(what, error)
  notify({ kind: 'error', title: errorText(error) })
}

function fieldTexts(errors: FieldErrors): string[] {
  return Object.entries(errors).flatMap(([field, messages]) => {
    const said = (Array.isArray(messages) ? messages : [messages]).filter((message) => typeof message === 'string')
    return said.length > 0 ? said.map((message) => `${field} ${message}`) : [`invalid ${field}`]
  })
}
