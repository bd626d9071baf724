import { perServer } from '../../../context.ts'
import { ModelRefused } from './model-refused.ts'

/** Who asks, and about which conversation. */
export interface Asker {
  account_id: string
  user_id: number | null
  conversation_id?: string | undefined
}

const OF_USER = 2
const OF_ACCOUNT = 6

/** Requests that run on this server, so that nobody keeps a model busy. Each server counts its own. */
export class RunningRequests {
  readonly #counts = new Map<string, number>()

  /**
   * Counts a request as running until the returned function is called.
   * @throws ModelRefused if too many run
   */
  begin({ account_id, user_id, conversation_id }: Asker): () => void {
    const bounds = [
      { key: `conversation ${account_id} ${conversation_id}`, limit: conversation_id ? 1 : Infinity, sentence: BUSY },
      { key: `user ${account_id} ${user_id}`, limit: user_id === null ? Infinity : OF_USER, sentence: TWO_RUN },
      { key: `account ${account_id}`, limit: OF_ACCOUNT, sentence: MANY_RUN },
    ].filter(({ limit }) => limit < Infinity)
    for (const { key, limit, sentence } of bounds)
      if ((this.#counts.get(key) ?? 0) >= limit) throw new ModelRefused(sentence)
    for (const { key } of bounds) this.#add(key, 1)
    return () => {
      for (const { key } of bounds) this.#add(key, -1)
    }
  }

  #add(key: string, change: number): void {
    const count = (this.#counts.get(key) ?? 0) + change
    if (count > 0) this.#counts.set(key, count)
    else this.#counts.delete(key)
  }
}

export const runningRequests = perServer(() => new RunningRequests())

const BUSY = 'The model is already writing for this conversation. Wait until it has finished, or stop it.'
const TWO_RUN = 'The model is already writing two texts for you. Wait until one is finished, or stop it.'
const MANY_RUN = 'The model is busy with requests of your team. Try again in a minute.'
