import type { ModelPurpose } from '#contract/connections/language-model.ts'
import type { Context } from '../../../context.ts'
import type { ConnectionTiming } from '../../../platform/outbound/connection-timing.ts'
import { AddressRefused } from '../../../platform/outbound/guard.ts'
import { OutboundFailed } from '../../../platform/outbound/outbound.ts'
import { readAnswer } from './answer-stream.ts'
import { askModel, hostOf, type ModelMessage } from './ask.ts'
import { type LanguageModel, type ModelAddress, readLanguageModel, readModelAddress, rememberRefused } from './model.ts'
import { ModelRefused, NO_MODEL } from './model-refused.ts'
import { runningRequests } from './running.ts'
import { scrub } from './scrub.ts'
import { ThinkingFilter } from './thinking.ts'
import { type Counted, correctUsage, currentMonth, estimateTokens, reserveUsage, type Tokens } from './usage.ts'

export interface CompletionRequest {
  account_id: string
  /** Who has pressed; null if nobody has. Bounds of a person then do not apply. */
  user_id: number | null
  purpose: ModelPurpose
  /** What it is about: one request runs for each conversation at a time. */
  conversation_id?: string
  messages: ModelMessage[]
  /** The longest answer. */
  max_tokens: number
  /** Ends it, without an error. */
  signal?: AbortSignal
}

/** How a completion ended. */
export interface Completed {
  /** Its text ends where the longest answer ends. */
  is_cut: boolean
}

/** A server that does not know the bound on tokens is cut off here. Few languages need more characters for a token. */
const CHARACTERS_PER_TOKEN = 8

/**
 * Streams what the account's model writes. Secrets, card numbers and links that give access are removed from the
 * messages before they leave. Leaving the loop, or the signal, closes the connection.
 * @throws ModelRefused with a sentence when the settings, bounds, the model's server or the time say no
 */
export async function* complete(context: Context, request: CompletionRequest): AsyncGenerator<string, Completed> {
  const { account_id, user_id, purpose, max_tokens, signal } = request
  const model = await readLanguageModel(context.db, account_id)
  const address = model && (await readModelAddress(context.db, context.keys, account_id))
  if (!address) throw new ModelRefused(NO_MODEL)
  const messages = request.messages.map(({ role, content }) => ({ role, content: scrub(content) }))
  const counted = { account_id, user_id, purpose, month: currentMonth() }
  const expected = {
    tokens_in: messages.reduce((sum, { content }) => sum + estimateTokens(content), 0),
    tokens_out: max_tokens,
  }
  const end = runningRequests(context).begin(request)
  try {
    await reserve(context, model, counted, expected)
    const used: Tokens = { tokens_in: 0, tokens_out: 0 }
    try {
      const refusedBefore = address.refused_parameters
      const completed = yield* streamAnswer(context, address, { messages, max_tokens, signal, expected, used })
      if (address.refused_parameters !== refusedBefore) await rememberRefused(context.db, account_id, address)
      return completed
    } finally {
      await context.change((tx) => correctUsage(tx, counted, expected, used))
      // Lengths only: what people write is not for logs.
      context.log.info({ purpose, account_id, ...used }, 'A language model was asked')
    }
  } finally {
    end()
  }
}

/** The bound of the person first, whose token is given back if that of the account refuses. */
async function reserve(context: Context, model: LanguageModel, counted: Counted, expected: Tokens): Promise<void> {
  const { limits, change } = context
  const { account_id, user_id } = counted
  const key = `language-model:${account_id}:${user_id}`
  const perHour = { capacity: model.requests_per_hour, perSecond: model.requests_per_hour / 3600 }
  if (user_id !== null) {
    const allowance = await limits.take(key, perHour)
    if (!allowance.allowed) {
      const minutes = Math.ceil(allowance.retryAfterSeconds / 60)
      throw new ModelRefused(
        `You have asked the model ${model.requests_per_hour} times within an hour, which is the bound of this account. Try again in ${minutes} minute(s).`,
      )
    }
  }
  try {
    await change((tx) => reserveUsage(tx, counted, expected))
  } catch (error) {
    if (user_id !== null) await limits.take(key, perHour, -1)
    throw error
  }
}

interface StreamedAnswer {
  messages: ModelMessage[]
  max_tokens: number
  signal?: AbortSignal | undefined
  /** Stands for what was used where a server does not tell. */
  expected: Tokens
  /** Filled in as it becomes known. */
  used: Tokens
  /** Whether silence is an answer: of a model that has only thought. */
  mayBeEmpty?: boolean
}

/** Asks a model and streams its words, within the limits of time and length. @throws ModelRefused with a sentence */
export async function* streamAnswer(
  context: Pick<Context, 'outbound' | 'timing'>,
  address: ModelAddress,
  asked: StreamedAnswer,
): AsyncGenerator<string, Completed> {
  const { messages, max_tokens, signal, expected, used, mayBeEmpty = false } = asked
  const clock = startClock(context.timing, hostOf(address), signal)
  const thinking = new ThinkingFilter()
  const mostCharacters = max_tokens * CHARACTERS_PER_TOKEN
  let length = 0
  let isCut = false
  let isRefused = false
  try {
    const response = await askModel(context, address, { messages, max_tokens }, clock.signal)
    used.tokens_in = expected.tokens_in
    for await (const { text = '', usage, finish_reason } of readAnswer(response, hostOf(address))) {
      clock.alive()
      used.tokens_out += text.length / 3
      if (usage) Object.assign(used, usage)
      isCut ||= finish_reason === 'length'
      isRefused ||= finish_reason === 'content_filter'
      const said = thinking.read(text).slice(0, mostCharacters - length)
      length += said.length
      if (said) yield said
      if (length >= mostCharacters) return { is_cut: true }
    }
    const remaining = thinking.end()
    if (remaining) yield remaining
    if (isRefused)
      throw new ModelRefused('The model declined to write this. Write it yourself, or ask for something else.')
    if (length + remaining.trim().length === 0 && !mayBeEmpty) throw new ModelRefused(NOTHING)
    return { is_cut: isCut }
  } catch (error) {
    if (signal?.aborted) return { is_cut: true }
    throw asRefusal(clock.signal.aborted ? clock.signal.reason : error)
  } finally {
    used.tokens_out = Math.ceil(used.tokens_out)
    clock.stop()
  }
}

/** Ends a request that takes too long, or that nobody waits for any more. */
function startClock(timing: ConnectionTiming, host: string, stopped: AbortSignal | undefined) {
  const ending = new AbortController()
  const late = () => ending.abort(new ModelRefused(TOO_SLOW(host)))
  const whole = setTimeout(late, timing.answerWhole)
  let piece = setTimeout(late, timing.answerStart)
  const stop = () => ending.abort()
  stopped?.addEventListener('abort', stop)
  if (stopped?.aborted) stop()
  return {
    signal: ending.signal,
    alive() {
      clearTimeout(piece)
      piece = setTimeout(late, timing.answerPause)
    },
    stop() {
      clearTimeout(whole)
      clearTimeout(piece)
      stopped?.removeEventListener('abort', stop)
      ending.abort()
    },
  }
}

/** What the network says is a sentence already. */
function asRefusal(error: unknown): unknown {
  const isKnown = error instanceof AddressRefused || error instanceof OutboundFailed
  return isKnown ? new ModelRefused(error.message) : error
}

const NOTHING = 'The model has written nothing. Try again, or choose another model.'
const TOO_SLOW = (host: string) =>
  `${host} takes too long. If it has just started, it may still be loading the model: try again in a minute.`
