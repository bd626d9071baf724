import { ApiError } from '../../platform/http/request.ts'

/** For `.catch` behind a call that takes the password of who is signed in: says in a sentence that it was another. */
export function tellWrongPassword(sentence: string) {
  return (refusal: unknown): never => {
    throw refusal instanceof ApiError && refusal.errors?.current_password ? new Error(sentence) : refusal
  }
}
