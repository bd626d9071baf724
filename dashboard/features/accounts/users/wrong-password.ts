import { ApiError } from '../../../platform/http/request.ts'

/** For `.catch` after a call that takes the current password: shows `sentence` if it was wrong. */
export function throwIfWrongPassword(sentence: string) {
  return (refusal: unknown): never => {
    throw refusal instanceof ApiError && refusal.errors?.current_password ? new Error(sentence) : refusal
  }
}
