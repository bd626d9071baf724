import * as z from 'zod/mini'
import type { Context } from '../../context.ts'
import { ConnectionRevoked, PermanentFailure, RetryLater } from '../../integration.ts'
import { parseForeignJson } from '../../platform/json.ts'
import { NotReached, OutboundFailed, type OutboundResponse } from '../../platform/outbound/outbound.ts'

type Access = Pick<Context, 'outbound' | 'config'>

interface Call {
  /** Sent as JSON. */
  fields?: Record<string, unknown>
  /** Files of a form, by the names of its fields. Then the fields are sent as a form, too. */
  files?: Map<string, File>
  /** Whether it changes nothing, so that it may be repeated. */
  isReading?: boolean
  timeout_ms?: number
  signal?: AbortSignal
}

/** Telegram refused a call for good. */
export class TelegramRefused extends PermanentFailure {
  /** Telegram's own words, in English. Its codes are too coarse to decide by. */
  readonly description: string
  constructor(description: string) {
    super(`Telegram refused it: ${description.replace(/^\w+ ?\w*: /, '').slice(0, 300)}.`)
    this.description = description
  }
}

/** Somebody else receives the bot's messages: another program that asks, or one that Telegram calls (`webhook`). */
export class ReceivedElsewhere extends Error {
  readonly by: 'webhook' | 'polling'
  constructor(by: 'webhook' | 'polling') {
    super('Another program receives the messages of this bot.')
    this.by = by
  }
}

const Answer = z.object({
  ok: z.boolean(),
  result: z.optional(z.unknown()),
  description: z.optional(z.string()),
  error_code: z.optional(z.number()),
  parameters: z.optional(z.object({ retry_after: z.optional(z.number()) })),
})

const TIMEOUT_MS = 30_000
/** While Telegram cannot be reached, all chats wait. */
const UNREACHABLE_MS = 15_000
const USUAL_REST_S = 30
const MAX_REST_S = 3_600

/**
 * Calls a method of the Bot API. The token is a part of the URL, which therefore must not appear in errors.
 * @throws RetryLater if nothing was done, TelegramRefused, ReceivedElsewhere, ConnectionRevoked; OutboundFailed if it is
 * unknown whether something was done
 */
export async function callTelegram<S extends z.ZodMiniType>(
  { outbound, config }: Access,
  token: string,
  method: string,
  schema: S,
  { fields = {}, files, isReading = false, timeout_ms = TIMEOUT_MS, signal }: Call = {},
): Promise<z.output<S>> {
  const { body, headers } = await writeBody(fields, files)
  const response = await outbound
    .request(`${config.telegramApiUrl}/bot${token}/${method}`, {
      method: 'POST',
      headers,
      body,
      timeout_ms,
      max_bytes: 10_000_000,
      may_be_private: true,
      ...(signal && { signal }),
    })
    .catch((error: unknown) => {
      if (error instanceof NotReached) throw retryAllLater('Telegram cannot be reached at the moment.', UNREACHABLE_MS)
      if (isReading && error instanceof OutboundFailed) throw new RetryLater(error.message)
      throw error
    })
  return z.parse(schema, readAnswer(response, isReading))
}

async function writeBody(fields: Record<string, unknown>, files: Map<string, File> | undefined) {
  if (!files) return { body: JSON.stringify(fields), headers: { 'content-type': 'application/json' } }
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) {
    form.set(name, typeof value === 'string' ? value : JSON.stringify(value))
  }
  for (const [name, file] of files) form.set(name, file)
  const written = new Response(form)
  return {
    body: Buffer.from(await written.arrayBuffer()),
    headers: { 'content-type': written.headers.get('content-type')! },
  }
}

/** What a method returned. An answer of Telegram itself says that nothing was done; one of a proxy in between does not. */
function readAnswer({ status, bytes }: OutboundResponse, isReading: boolean): unknown {
  const read = z.safeParse(Answer, parseForeignJson(bytes.toString('utf8')))
  if (!read.success) {
    const sentence = `Telegram returned an unexpected response (${status}).`
    throw isReading ? new RetryLater(sentence) : new OutboundFailed(sentence)
  }
  const { ok, result, description = '', error_code = status, parameters } = read.data
  if (ok) return result
  if (error_code === 429) {
    const seconds = Math.min(Math.max(parameters?.retry_after ?? USUAL_REST_S, 1), MAX_REST_S)
    throw retryAllLater('Telegram limits the number of messages.', seconds * 1000)
  }
  if (error_code === 409) throw new ReceivedElsewhere(/webhook/i.test(description) ? 'webhook' : 'polling')
  // Telegram knows no path with a wrong token.
  if (error_code === 401 || (error_code === 404 && /^not found$/i.test(description))) {
    throw new ConnectionRevoked(
      'Telegram no longer accepts the bot’s token. Ask @BotFather for a new one, and connect it again.',
    )
  }
  if (error_code >= 500) throw new RetryLater('Telegram has an error. It will be tried again.')
  throw new TelegramRefused(description)
}

function retryAllLater(sentence: string, ms: number): RetryLater {
  return new RetryLater(sentence, { at: new Date(Date.now() + ms), restsAll: true })
}

const TelegramFile = z.object({ file_path: z.optional(z.string()), file_size: z.optional(z.number()) })
/** Telegram gives out no larger ones. */
export const MAX_DOWNLOAD = 20_000_000
const DOWNLOAD_MS = 120_000

/**
 * The contents of a file that somebody sent. Its URL contains the token, so it is neither stored nor passed on. Undefined
 * if Telegram does not give it out.
 * @throws RetryLater if it cannot be downloaded at the moment
 */
export async function downloadFile(context: Access, token: string, file_id: string): Promise<Buffer | undefined> {
  const file_path = await findPath(context, token, file_id)
  if (!file_path) return undefined
  const path = file_path.split('/').map(encodeURIComponent).join('/')
  const limits = { max_bytes: MAX_DOWNLOAD + 1, timeout_ms: DOWNLOAD_MS, may_be_private: true }
  const response = await context.outbound
    .request(`${context.config.telegramApiUrl}/file/bot${token}/${path}`, limits)
    .catch((error: unknown) => {
      throw error instanceof OutboundFailed ? new RetryLater('A file cannot be downloaded from Telegram.') : error
    })
  if (response.ok) return response.bytes
  // The path may have expired, or the service be unavailable: asking again helps.
  throw new RetryLater('A file cannot be downloaded from Telegram at the moment.')
}

async function findPath(context: Access, token: string, file_id: string): Promise<string | undefined> {
  try {
    const call = { fields: { file_id }, isReading: true }
    return (await callTelegram(context, token, 'getFile', TelegramFile, call)).file_path
  } catch (error) {
    if (error instanceof TelegramRefused) return undefined
    throw error
  }
}
