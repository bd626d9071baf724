import * as z from 'zod/mini'
import { parseForeignJson } from '../../../platform/json.ts'
import type { StreamedResponse } from '../../../platform/outbound/outbound.ts'
import { ModelRefused } from './model-refused.ts'

/** What a server says in one event. */
export interface AnswerPart {
  text?: string
  /** Of the whole request, once it is known. */
  usage?: { tokens_in: number; tokens_out: number }
  /** Why the text ended: `stop`, `length`, `content_filter`, … */
  finish_reason?: string
}

/** All of an answer, with what surrounds its words. More is not an answer. */
const MAX_BYTES = 5_000_000
const MAX_EVENT_LENGTH = 500_000

const Content = z.union([
  z.string(),
  z.pipe(
    z.array(z.looseObject({ text: z.optional(z.string()) })),
    z.transform((parts) => parts.map(({ text = '' }) => text).join('')),
  ),
])
// What it thinks (`reasoning`, `reasoning_content`) is not read.
const MessagePart = z.optional(z.nullable(z.object({ content: z.optional(z.nullable(Content)) })))
const Event = z.object({
  choices: z.optional(
    z.array(z.object({ delta: MessagePart, message: MessagePart, finish_reason: z.optional(z.nullable(z.string())) })),
  ),
  usage: z.optional(
    z.nullable(z.object({ prompt_tokens: z.optional(z.number()), completion_tokens: z.optional(z.number()) })),
  ),
  error: z.optional(z.unknown()),
})

/**
 * Reads an answer of the chat completions API while it arrives: server-sent events, or one JSON object of a server that
 * does not stream.
 * @throws ModelRefused if it is neither, reports an error, or breaks off
 */
export async function* readAnswer({ headers, body }: StreamedResponse, host: string): AsyncGenerator<AnswerPart> {
  if (/^application\/json\b/i.test(headers.get('content-type') ?? '')) {
    let text = ''
    for await (const piece of decoded(body)) text += piece
    yield understand(text, host) ?? throwRefused(NOT_A_MODEL(host))
    return
  }
  // Few teams have a model, so the library is loaded when one first answers.
  const { createParser } = await import('eventsource-parser')
  const arrived: string[] = []
  const parser = createParser({ onEvent: ({ data }) => void arrived.push(data), maxBufferSize: MAX_EVENT_LENGTH })
  let isUnderstood = false
  let isEnded = false
  function* understood(): Generator<AnswerPart> {
    for (const data of arrived.splice(0)) {
      if (data.trim() === '[DONE]') isEnded = true
      const part = understand(data, host)
      if (!part) continue
      isUnderstood = true
      isEnded ||= part.finish_reason !== undefined
      yield part
    }
  }
  try {
    for await (const piece of decoded(body)) {
      parser.feed(piece)
      yield* understood()
    }
  } catch (error) {
    if (isEnded) return
    throw isUnderstood && !(error instanceof ModelRefused) ? new ModelRefused(BROKEN_OFF(host)) : error
  }
  // Some servers leave out the blank line behind the last event.
  parser.feed('\n\n')
  yield* understood()
  if (!isUnderstood) throwRefused(NOT_A_MODEL(host))
  if (!isEnded) throwRefused(BROKEN_OFF(host))
}

async function* decoded(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let size = 0
  for await (const bytes of body) {
    size += bytes.length
    if (size > MAX_BYTES) throwRefused('The model does not stop writing. Try again, or choose another model.')
    yield decoder.decode(bytes, { stream: true })
  }
}

/** Undefined for what is no event of this API, such as a sign of life. */
function understand(data: string, host: string): AnswerPart | undefined {
  const event = z.safeParse(Event, parseForeignJson(data)).data
  if (!event) return undefined
  if (event.error) throwRefused(REPORTED(host, errorMessage(event)))
  const { choices, usage } = event
  if (!choices && !usage) return undefined
  const choice = choices?.[0]
  const text = (choice?.delta ?? choice?.message)?.content
  return {
    ...(text && { text }),
    ...(choice?.finish_reason && { finish_reason: choice.finish_reason }),
    ...(usage && { usage: { tokens_in: usage.prompt_tokens ?? 0, tokens_out: usage.completion_tokens ?? 0 } }),
  }
}

const ErrorReport = z.object({ error: z.union([z.string(), z.object({ message: z.string() })]) })
const MAX_MESSAGE = 200

/** The words of an error report, short enough for a sentence; empty if there are none. */
export function errorMessage(report: unknown): string {
  const error = z.safeParse(ErrorReport, report).data?.error ?? ''
  const message = typeof error === 'string' ? error : error.message
  return message.replace(/\s+/g, ' ').trim().slice(0, MAX_MESSAGE)
}

function throwRefused(sentence: string): never {
  throw new ModelRefused(sentence)
}

const NOT_A_MODEL = (host: string) =>
  `${host} does not answer as a language model does. Check that the address is right and ends with /v1.`
const BROKEN_OFF = (host: string) => `The connection to ${host} broke off before the answer was complete. Try again.`
const REPORTED = (host: string, message: string) => `${host} reports an error: “${message || 'unknown'}”.`
