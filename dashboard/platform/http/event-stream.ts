import { createParser } from 'eventsource-parser'
import { addressOf } from '#contract/call.ts'
import type { BodyInput, Endpoint, Params } from '#contract/endpoint.ts'
import { withTokens } from './api.ts'
import { ApiError, messageIn, unreachable } from './request.ts'

interface Streamed<E extends Endpoint> {
  params: Params<E>
  body: BodyInput<E>
  signal: AbortSignal
}

/** Makes a call whose answer is a stream of events. Throws ApiError, also if the stream breaks off. */
export async function streamEvents<E extends Endpoint>(
  { method, path }: E,
  { params, body, signal }: Streamed<E>,
  onEvent: (name: string, data: unknown) => void,
): Promise<void> {
  const response = await withTokens(async ({ token }) => {
    const headers = { accept: 'text/event-stream, application/json', 'content-type': 'application/json' }
    const answer = await fetch(addressOf(path, params), {
      method,
      headers: { ...headers, authorization: token },
      body: JSON.stringify(body),
      signal,
    }).catch((error) => {
      throw signal.aborted ? error : unreachable()
    })
    if (answer.ok) return answer
    const refusal: unknown = await answer.json().catch(() => null)
    throw new ApiError(answer.status, messageIn(refusal), refusal)
  })
  const parser = createParser({ onEvent: ({ event = '', data }) => onEvent(event, JSON.parse(data)) })
  const reader = response.body?.getReader()
  const decoder = new TextDecoder()
  try {
    for (let part = await reader?.read(); part && !part.done; part = await reader?.read())
      parser.feed(decoder.decode(part.value, { stream: true }))
  } catch (error) {
    throw signal.aborted ? error : unreachable()
  }
}
