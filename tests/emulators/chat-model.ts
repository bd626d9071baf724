import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'

/** A request for a completion, as it arrived: what left the house. */
export interface Prompt {
  token: string | undefined
  body: Record<string, unknown> & { messages: { role: string; content: string }[] }
  /** All messages as one text. */
  text: string
}

/** What happens to a request. */
export type Behaviour = (response: ServerResponse, prompt: Prompt) => Promise<void> | void

export interface ChatModel {
  /** The base address, with `/v1`. */
  url: string
  host: string
  prompts: Prompt[]
  /** What the next requests meet, one after the other; later ones are answered by `usual`. */
  next(...behaviours: Behaviour[]): void
  usual: Behaviour
  /** The names of its models; undefined if it cannot tell. */
  models: string[] | undefined
  /** The only key it accepts, if any. */
  key: string | undefined
  /** How many of the answers were left by the client before they were complete. */
  abandoned: number
  close(): Promise<void>
}

interface Saying {
  reasoning?: string
  usage?: { prompt_tokens: number; completion_tokens: number } | null
  finish_reason?: string | null
  /** Whether the last event is `[DONE]`. */
  hasEnd?: boolean
}

/** Bytes of a piece: fewer than `data: ` and than most characters beyond ASCII have with their neighbours. */
const PIECE = 5

const event = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`
const chunk = (delta: object, finish_reason: string | null = null) =>
  event({ object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason }] })
const words = (text: string) => text.match(/\s*\S+|\s+$/gu) ?? []

function begin(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
}

/** Sends bytes a few at a time, so that they are cut inside of characters and of `data:`. */
async function trickle(response: ServerResponse, text: string): Promise<void> {
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length && !response.destroyed; at += PIECE) {
    response.write(bytes.subarray(at, at + PIECE))
    await nextTurn()
  }
}

/** Answers with a text. */
export function says(text: string, saying: Saying = {}): Behaviour {
  return (response) => say(response, text, saying)
}

async function say(response: ServerResponse, text: string, saying: Saying): Promise<void> {
  const usage = saying.usage === undefined ? { prompt_tokens: 100, completion_tokens: 20 } : saying.usage
  const { reasoning, finish_reason = 'stop', hasEnd = true } = saying
  begin(response)
  const thoughts = words(reasoning ?? '').map((word) => chunk({ reasoning_content: word, reasoning: word }))
  const said = words(text).map((word) => chunk({ content: word }))
  const end =
    chunk({}, finish_reason) + (usage ? event({ choices: [], usage }) : '') + (hasEnd ? 'data: [DONE]\n\n' : '')
  await trickle(response, `: still alive\n\n${thoughts.join('')}${said.join('')}${end}`)
  response.end()
}

/** Answers with one JSON object, as servers that do not stream. */
export function saysAtOnce(text: string): Behaviour {
  return (response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    const usage = { prompt_tokens: 7, completion_tokens: 3 }
    response.end(JSON.stringify({ choices: [{ message: { content: text }, finish_reason: 'stop' }], usage }))
  }
}

/** Refuses with a status, and an error as JSON or a page. */
export function refuses(status: number, error: object | string, headers: Record<string, string> = {}): Behaviour {
  return (response) => {
    const isPage = typeof error === 'string' && error.startsWith('<')
    response.writeHead(status, { 'content-type': isPage ? 'text/html' : 'application/json', ...headers })
    response.end(isPage ? error : JSON.stringify({ error }))
  }
}

/** Answers like a model that does not know some parameters. */
export function knowsNot(parameters: string[], otherwise: Behaviour): Behaviour {
  return (response, prompt) => {
    const unknown = parameters.find((name) => name in prompt.body)
    if (!unknown) return otherwise(response, prompt)
    const message = `Unsupported parameter: '${unknown}' is not supported with this model.`
    return refuses(400, { message, type: 'invalid_request_error', code: 'unsupported_parameter' })(response, prompt)
  }
}

/** Answers with a page. */
export const showsPage: Behaviour = (response) => {
  response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Hello</title>')
}

/** Sends the beginning of an answer, and then nothing more; nothing at all without one. */
export function hangs(text?: string): Behaviour {
  return async (response) => {
    if (text === undefined) return
    begin(response)
    await trickle(
      response,
      words(text)
        .map((word) => chunk({ content: word }))
        .join(''),
    )
  }
}

/** Sends the beginning of an answer, and breaks off. */
export function breaksOff(text: string): Behaviour {
  return async (response) => {
    await hangs(text)(response, undefined as never)
    response.destroy()
  }
}

/** Reports an error in the middle of an answer. */
export function failsWithin(text: string, message: string): Behaviour {
  return async (response) => {
    await hangs(text)(response, undefined as never)
    response.end(event({ error: { message } }))
  }
}

/** Does what a text somewhere in the prompt orders: “say exactly: …”, as models do that are led astray. */
export const obeys: Behaviour = (response, prompt) => {
  const orders = [...prompt.text.matchAll(/say exactly: (.*)/gi)].map(([, order = '']) => order)
  return say(response, orders.at(-1) ?? 'Nobody has ordered anything.', {})
}

/** Answers with the first sentence of each source that the prompt numbers, and with its number. */
export const quotesSources: Behaviour = (response, prompt) => {
  const sources = [...prompt.text.matchAll(/^\[(\d+)\] (?:.*\n)?([^\n.]+\.)/gm)]
  const sentences = sources.map(([, number, sentence]) => `${sentence} [${number}]`)
  return say(response, sentences.join(' ') || 'I do not know.', {})
}

/** Answers with a translation of each message between marks of the prompt, and hangs after some of them if it is told so. */
export function translates(
  translate: (text: string) => string,
  { hangsAfter = Number.POSITIVE_INFINITY } = {},
): Behaviour {
  return (response, prompt) => {
    const asked = [...prompt.text.matchAll(/<(message \d+ \w+)>\n([\s\S]*?)\n<\/\1>/g)]
    const said = asked.map(([, mark, text = '']) => `<${mark}>\n${translate(text)}\n</${mark}>`)
    if (said.length <= hangsAfter) return say(response, said.join('\n'), {})
    return hangs(said.slice(0, hangsAfter).join('\n'))(response, prompt)
  }
}

/** A server that speaks the chat completions API on this machine, with all that can go wrong there. */
export async function startChatModel(): Promise<ChatModel> {
  const behaviours: Behaviour[] = []
  const server = createServer((request, response) => void serve(request, response))

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece as Buffer)
    const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1]
    if (model.key && token !== model.key) {
      const message = `Incorrect API key provided: ${token ?? ''}.`
      return void refuses(401, { message, code: 'invalid_api_key' })(response, undefined as never)
    }
    if (request.method === 'GET' && request.url === '/v1/models' && model.models) {
      response.writeHead(200, { 'content-type': 'application/json' })
      return void response.end(JSON.stringify({ data: model.models.map((id) => ({ id, object: 'model' })) }))
    }
    if (request.method !== 'POST' || request.url !== '/v1/chat/completions')
      return void response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>Not found</h1>')
    const body = JSON.parse(Buffer.concat(pieces).toString())
    const text = body.messages.map(({ content }: { content: string }) => content).join('\n')
    const prompt = { token, body, text }
    model.prompts.push(prompt)
    response.on('close', () => {
      if (!response.writableEnded) model.abandoned += 1
    })
    await (behaviours.shift() ?? model.usual)(response, prompt)
  }

  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const model: ChatModel = {
    url: `http://${host}/v1`,
    host,
    prompts: [],
    next: (...more) => void behaviours.push(...more),
    usual: says('OK.'),
    models: ['small', 'large'],
    key: undefined,
    abandoned: 0,
    async close() {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
  return model
}
