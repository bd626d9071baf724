import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '../../../context.ts'
import { parseForeignJson } from '../../../platform/json.ts'
import type { StreamedResponse } from '../../../platform/outbound/outbound.ts'
import { errorMessage } from './answer-stream.ts'
import type { ModelAddress, RefusableParameter } from './model.ts'
import { ModelRefused } from './model-refused.ts'
import { scrub } from './scrub.ts'

/** A message to a model. */
export interface ModelMessage {
  role: 'system' | 'user' | 'assistant'
  content: string
}

/** Facts are wanted, not ideas. */
const TEMPERATURE = 0.2
/** The wait before a request is repeated, unless the server names one. */
const REPEAT_MS = 1_000
/** Somebody waits for the answer, so a server that wants a longer wait is not waited for. */
const LONGEST_WAIT_SECONDS = 15
const MAX_PROBLEM_BYTES = 20_000

/** The host of an address, for sentences. */
export function hostOf({ base_url }: Pick<ModelAddress, 'base_url'>): string {
  return new URL(base_url).host
}

export function headersFor({ key }: Pick<ModelAddress, 'key'>): Record<string, string> {
  return { 'content-type': 'application/json', ...(key && { authorization: `Bearer ${key}` }) }
}

/**
 * Sends messages to a model, and returns its answer once that begins. Parameters that it refuses are left out, and
 * added to `address.refused_parameters`. An overloaded server is asked once more.
 * @throws ModelRefused with a sentence, AddressRefused, OutboundFailed
 */
export async function askModel(
  { outbound }: Pick<Context, 'outbound'>,
  address: ModelAddress,
  { messages, max_tokens }: { messages: ModelMessage[]; max_tokens: number },
  signal: AbortSignal,
): Promise<StreamedResponse> {
  let isRepeated = false
  for (;;) {
    const sent = bodyFor(address, messages, max_tokens)
    const response = await outbound.stream(`${address.base_url}/chat/completions`, {
      method: 'POST',
      headers: headersFor(address),
      body: JSON.stringify(sent),
      signal,
    })
    if (response.ok) return response
    const problem = await readProblem(response)
    const refused = REFUSABLE.find((name) => name in sent && problem.includes(name))
    if (refused && [400, 422].includes(response.status)) {
      address.refused_parameters = [...address.refused_parameters, refused]
      continue
    }
    const seconds = Number(response.headers.get('retry-after') ?? REPEAT_MS / 1000)
    const isBusy = response.status >= 500 || response.status === 429
    if (isRepeated || !isBusy || !(seconds <= LONGEST_WAIT_SECONDS))
      throw new ModelRefused(sentenceFor(address, response, problem))
    isRepeated = true
    await sleep(seconds * 1000, undefined, { signal })
  }
}

const REFUSABLE: readonly RefusableParameter[] = ['max_completion_tokens', 'temperature', 'stream_options']

/** Reasoning models want `max_completion_tokens`; some servers know only the older `max_tokens`. */
function bodyFor({ model, refused_parameters }: ModelAddress, messages: ModelMessage[], max_tokens: number) {
  const takes = (name: RefusableParameter) => !refused_parameters.includes(name)
  return {
    model,
    messages,
    stream: true,
    [takes('max_completion_tokens') ? 'max_completion_tokens' : 'max_tokens']: max_tokens,
    ...(takes('temperature') && { temperature: TEMPERATURE }),
    ...(takes('stream_options') && { stream_options: { include_usage: true } }),
  }
}

async function readProblem({ body }: StreamedResponse): Promise<string> {
  const pieces: Uint8Array[] = []
  let size = 0
  for await (const piece of body) {
    pieces.push(piece)
    size += piece.length
    if (size > MAX_PROBLEM_BYTES) break
  }
  return Buffer.concat(pieces).toString()
}

/** What is wrong, for the person who waits, who may not be the one who can change it. */
export function sentenceFor(
  { base_url, model, key }: ModelAddress,
  { status, headers }: Pick<StreamedResponse, 'status' | 'headers'>,
  problem: string,
): string {
  const host = hostOf({ base_url })
  // Words of another system: they might repeat the key.
  const message = scrub(errorMessage(parseForeignJson(problem))).replaceAll(key || '\0', '…')
  const said = message && ` It says: “${message}”.`
  if (status >= 300 && status < 400)
    return `${host} redirects to another address, which would get the key, too. Enter the final address under Settings › Language model.`
  if (status === 401 || status === 403)
    return key
      ? `${host} does not accept the key. An admin can enter another one under Settings › Language model.`
      : `${host} asks for a key. An admin can enter it under Settings › Language model.`
  if (status === 404)
    return `${host} knows no model named “${model}”, or its address is another one. An admin can check both under Settings › Language model.`
  if (status === 429) {
    const seconds = Number(headers.get('retry-after'))
    const when = seconds > 0 ? `in ${Math.ceil(seconds)} seconds` : 'in a minute'
    return `${host} takes no more requests for now. Try again ${when}.${said}`
  }
  if (status >= 500) return `${host} does not work at the moment (error ${status}). Try again in a minute.${said}`
  return `${host} refuses the request (error ${status}).${said}`
}
