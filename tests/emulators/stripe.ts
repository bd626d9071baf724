import { createHmac } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { parse } from 'qs'
import { Ledger, StripeRefusal } from './stripe-ledger.ts'
import { CARDS, type Card, type CardNumber, type Fields, makeCard, makeCustomer, newId } from './stripe-objects.ts'
import { CARD_FRAME, standInScript } from './stripe-script.ts'

export const WEBHOOK_SECRET = 'whsec_known_to_both'
export const SECRET_KEY = 'sk_test_of_the_tests'
export const PUBLIC_KEY = 'pk_test_of_the_tests'

/** A fault that replaces the answer to a call. */
type Fault = { kind: 'fail'; status: number; error: Fields } | { kind: 'hang' | 'lose' | 'stall' }

interface Request {
  method: string
  path: string
  key: string | undefined
  body: string
}

export interface StripeEmulator {
  url: string
  /** Settings of a server that uses it. */
  settings: Record<string, string>
  ledger: Ledger
  /** All requests received, without recognised repeats. */
  requests: Request[]
  /** How many repeats were recognised by their idempotency key. */
  repeats: number
  /** The next call that matches, such as `POST /v1/subscriptions`, is refused. */
  fail(call: string, status: number, error: Fields): void
  /** The next matching call is never answered. */
  hang(call: string): void
  /** The next matching call is carried out, but its answer never comes. */
  stall(call: string): void
  /** The next matching call is carried out, but its answer is lost. */
  lose(call: string, times?: number): void
  /** A card that a page gave to Stripe, and that belongs to no customer yet. */
  addCard(number?: CardNumber): Card
  /** Sends an event to a server, as often and in whatever order a test wants. Returns the status. */
  deliverEvent(server: string, event: Fields, signature?: string): Promise<number>
  /** Sends all events since the last time, in order. */
  deliverAll(server: string): Promise<void>
  close(): Promise<void>
}

/** A small Stripe on this machine: customers, cards, subscriptions, invoices, signed events, and faults on demand. */
export async function startStripe(): Promise<StripeEmulator> {
  const faults: { call: string; fault: Fault }[] = []
  const answered = new Map<string, { sent: string; status: number; body: Fields }>()
  let sentCount = 0

  const server = createServer((request, response) => {
    void serve(request, response).catch((error) => response.writeHead(500).end(String(error)))
  })

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url!, emulator.url)
    const files: Record<string, [string, string]> = {
      '/stripe.js': ['text/javascript', standInScript(emulator.url)],
      '/card': ['text/html', CARD_FRAME],
    }
    const file = files[url.pathname]
    if (file) return void response.writeHead(200, { 'content-type': file[0] }).end(file[1])
    if (!url.pathname.startsWith('/v1/')) return void response.setHeader('content-type', 'text/html').end(PAGE)
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part)
    const body = Buffer.concat(parts).toString()
    const method = request.method!
    const key = request.headers['idempotency-key'] as string | undefined
    const fault = nextFault(`${method} ${url.pathname}`)
    if (fault?.kind === 'hang') return
    const [status, answer] =
      fault?.kind === 'fail' ? [fault.status, { error: fault.error }] : once(method, url, body, key, request.headers)
    if (fault?.kind === 'stall') return
    if (fault?.kind === 'lose') return void request.socket.destroy()
    response.writeHead(status, { 'content-type': 'application/json', 'request-id': newId('req') })
    response.end(JSON.stringify(answer))
  }

  function nextFault(call: string): Fault | undefined {
    const index = faults.findIndex((entry) => call.startsWith(entry.call))
    return index < 0 ? undefined : faults.splice(index, 1)[0]!.fault
  }

  /** A repeated key gets the first answer again, even a refusal; a different body with the same key is an error. */
  function once(
    method: string,
    url: URL,
    body: string,
    key: string | undefined,
    { authorization }: IncomingMessage['headers'],
  ): [number, Fields] {
    const isPage = authorization === `Bearer ${PUBLIC_KEY}`
    if (authorization !== `Bearer ${SECRET_KEY}` && !isPage) {
      return [401, { error: { type: 'invalid_request_error', message: 'Invalid API Key provided' } }]
    }
    if (method !== 'GET' && !isPage && !key)
      return [400, { error: { type: 'invalid_request_error', message: 'No key' } }]
    const sent = `${method} ${url.pathname} ${body}`
    const previous = key && answered.get(key)
    if (previous) {
      if (previous.sent !== sent)
        return [400, { error: { type: 'idempotency_error', message: 'Another request had this key.' } }]
      emulator.repeats += 1
      return [previous.status, previous.body]
    }
    emulator.requests.push({ method, path: url.pathname, key, body })
    const [status, answer] = attempt(method, url, parse(body, { depth: 8 }))
    if (key) answered.set(key, { sent, status, body: structuredClone(answer) })
    return [status, answer]
  }

  function attempt(method: string, url: URL, body: Fields): [number, Fields] {
    try {
      return [200, answer(emulator.ledger, method, url, body)]
    } catch (error) {
      if (!(error instanceof StripeRefusal)) throw error
      return [error.status, { error: error.error }]
    }
  }

  const emulator: StripeEmulator = {
    url: '',
    settings: {},
    ledger: new Ledger(() => emulator.url),
    requests: [],
    repeats: 0,
    fail: (call, status, error) => void faults.push({ call, fault: { kind: 'fail', status, error } }),
    hang: (call) => void faults.push({ call, fault: { kind: 'hang' } }),
    stall: (call) => void faults.push({ call, fault: { kind: 'stall' } }),
    lose(call, times = 1) {
      for (let time = 0; time < times; time++) faults.push({ call, fault: { kind: 'lose' } })
    },
    addCard(number = '4242424242424242') {
      const card = makeCard(number)
      emulator.ledger.cards.set(card.id, card)
      return card
    },
    async deliverEvent(to, event, signature) {
      const body = JSON.stringify(event)
      const time = Math.floor(Date.now() / 1000)
      const signed = createHmac('sha256', WEBHOOK_SECRET).update(`${time}.${body}`).digest('hex')
      const headers = { 'content-type': 'application/json', 'stripe-signature': signature ?? `t=${time},v1=${signed}` }
      return (await fetch(`${to}/api/billing/stripe_events`, { method: 'POST', headers, body })).status
    },
    async deliverAll(to) {
      const { events } = emulator.ledger
      while (sentCount < events.length) {
        await emulator.deliverEvent(to, events[sentCount]!)
        sentCount += 1
        await sleep(0)
      }
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const address = server.address()
  emulator.url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
  emulator.settings = {
    BILLING: 'on',
    STRIPE_SECRET_KEY: SECRET_KEY,
    STRIPE_PUBLIC_KEY: PUBLIC_KEY,
    STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
    STRIPE_API_URL: emulator.url,
    STRIPE_JS_URL: `${emulator.url}/stripe.js`,
  }
  return emulator
}

const PAGE = '<!doctype html><html lang="en"><title>Stripe</title><h1>A page of Stripe</h1></html>'

const list = (data: object[]) => ({ object: 'list', has_more: false, data })

/** Answers a call such as `GET /v1/customers/:id`. */
function answer(ledger: Ledger, method: string, { pathname, searchParams }: URL, body: Fields): Fields {
  const [kind = '', id = '', deed = ''] = pathname.replace('/v1/', '').split('/')
  const customer = searchParams.get('customer')
  const ofCustomer = <One extends { customer: string | null }>(all: Map<string, One>) =>
    list([...all.values()].filter((item) => item.customer === customer).reverse())
  const whole = (subscription: Fields) => ({
    ...subscription,
    latest_invoice: ledger.invoices.get(subscription.latest_invoice as string) ?? null,
  })
  switch (`${method} ${kind}${id && ' id'}${deed && ` ${deed}`}`) {
    case 'POST customers': {
      const made = makeCustomer(body)
      ledger.customers.set(made.id, made)
      ledger.record('customer.created', made)
      return made
    }
    case 'GET customers id': {
      const { invoice_settings, ...fields } = ledger.customer(id)
      const card = ledger.cards.get(invoice_settings.default_payment_method ?? '') ?? null
      return { ...fields, invoice_settings: { default_payment_method: card } }
    }
    case 'POST customers id': {
      const stored = ledger.customer(id)
      Object.assign(stored.invoice_settings, body.invoice_settings)
      ledger.record('customer.updated', stored)
      return stored
    }
    case 'POST setup_intents': {
      const intent = {
        id: newId('seti'),
        object: 'setup_intent',
        customer: body.customer,
        client_secret: newId('secret'),
      }
      ledger.intents.set(intent.client_secret, intent)
      return intent
    }
    case 'POST setup_intents id confirm':
      return confirm(ledger, id, body)
    case 'GET payment_methods id':
      return ledger.card(id)
    case 'POST payment_methods id attach':
      return Object.assign(ledger.card(id), { customer: body.customer })
    case 'GET products':
      return list(ledger.products)
    case 'GET products id':
      return ledger.products.find((product) => product.id === id)!
    case 'GET prices':
      return list(ledger.prices.filter(({ product }) => product === searchParams.get('product')))
    case 'GET subscriptions': {
      const subscriptions = ofCustomer(ledger.subscriptions)
      return { ...subscriptions, data: subscriptions.data.map((subscription) => whole(subscription as Fields)) }
    }
    case 'POST subscriptions':
      return ledger.subscribe(body)
    case 'POST subscriptions id':
      return ledger.change(id, body)
    case 'DELETE subscriptions id':
      return ledger.cancel(id)
    case 'GET invoices':
      return ofCustomer(ledger.invoices)
    case 'POST invoices id pay':
      return ledger.pay(id, body.payment_method as string | undefined)
    case 'POST billing_portal sessions':
    case 'POST billing_portal id':
      return {
        id: newId('bps'),
        object: 'billing_portal.session',
        url: `${ledger.url()}/portal/${String(body.customer)}`,
      }
    default:
      throw new StripeRefusal(404, {
        type: 'invalid_request_error',
        message: `Unrecognized request URL (${method}: ${pathname}).`,
      })
  }
}

/** What the card's frame does: it sends the card to Stripe, after the bank's consent if that is required. */
function confirm(ledger: Ledger, client_secret: string, { number, consent }: Fields): Fields {
  const intent = ledger.intents.get(client_secret)
  const digits = String(number).replaceAll(/\D/g, '')
  if (!intent || !(digits in CARDS)) {
    throw new StripeRefusal(402, {
      type: 'card_error',
      code: 'incorrect_number',
      message: 'Your card number is incorrect.',
    })
  }
  const { behaviour } = CARDS[digits as CardNumber]
  if (behaviour === 'declined') {
    throw new StripeRefusal(402, { type: 'card_error', code: 'card_declined', message: 'Your card was declined.' })
  }
  if (behaviour === 'asks the bank' && !consent) return { ...intent, status: 'requires_action' }
  if (consent === 'refused') {
    throw new StripeRefusal(402, {
      type: 'card_error',
      code: 'setup_intent_authentication_failure',
      message:
        'We are unable to authenticate your payment method. Please choose a different payment method and try again.',
    })
  }
  const card = makeCard(digits as CardNumber)
  Object.assign(card, { customer: intent.customer, consented: true })
  ledger.cards.set(card.id, card)
  return Object.assign(intent, { status: 'succeeded', payment_method: card.id })
}
