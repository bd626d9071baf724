import { randomBytes } from 'node:crypto'
import { request as httpRequest } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { largePicture } from './large-picture.ts'

/** The parameters of a flooding process. */
export interface FloodOrder {
  url: string
  /** The account and inbox whose files it sends. */
  account_id: string
  /** A member of another company than the agents'. */
  token: string
  /** Names of floods; all of them if empty. */
  kinds: string[]
}

const FLOODS = {
  json: { width: 4, send: sendBomb },
  forms: { width: 4, send: sendEndlessForm },
  searches: { width: 12, send: searchForEverything },
  pictures: { width: 16, send: sendPicture },
  files: { width: 8, send: sendFile },
}

// A process of its own, so that the sender's cost is not measured as the agents': see `flood.ts`.
process.once('message', (order: FloodOrder) => {
  const kinds = Object.entries(FLOODS).filter(([kind]) => order.kinds.length === 0 || order.kinds.includes(kind))
  void Promise.all(kinds.flatMap(([, { width, send }]) => repeat(width, (i) => send(order, i))))
})
process.once('disconnect', () => process.exit())

/** As fast as answers arrive, with a short pause after each, because an attacker's connection has latency, too. */
function repeat(width: number, send: (index: number) => Promise<unknown>): Promise<never>[] {
  return Array.from({ length: width }, async (_, index) => {
    for (;;) {
      await send(index).catch(() => undefined)
      await sleep(20)
    }
  })
}

const from = (index: number) => ({ 'x-forwarded-for': `203.0.113.${index}` })

const BOMB = Buffer.from(`{"user":{"email":"${'\\u0041'.repeat(1_300_000)}"}}`)

function sendBomb({ url }: FloodOrder) {
  const headers = { 'content-type': 'application/json', ...from(1) }
  return answered(fetch(`${url}/api/session`, { method: 'POST', body: BOMB, headers }))
}

/** Sends a form with endless fields until the connection is closed. */
function sendEndlessForm({ url }: FloodOrder): Promise<void> {
  const headers = { 'content-type': 'multipart/form-data; boundary=edge', ...from(2) }
  const form = httpRequest(`${url}/api/upload`, { method: 'POST', headers })
  const field = Buffer.from(`--edge\r\ncontent-disposition: form-data; name="f"\r\n\r\n${'x'.repeat(60_000)}\r\n`)
  return new Promise((resolve) => {
    let sent = 0
    const end = () => {
      form.destroy()
      resolve()
    }
    const write = () => {
      while (sent < 400_000_000 && !form.destroyed) {
        sent += field.length
        if (!form.write(field)) return form.once('drain', write)
      }
      return end()
    }
    form.once('error', end)
    form.once('response', end)
    write()
  })
}

function searchForEverything({ url, token }: FloodOrder) {
  const query = Array.from({ length: 60 }, () => randomBytes(1).toString('hex')).join(' ')
  return answered(fetch(`${url}/api/search?q=${encodeURIComponent(query)}`, { headers: { authorization: token } }))
}

const PICTURE = largePicture(6_000)

function sendPicture(order: FloodOrder, index: number) {
  return upload(order, PICTURE, 10 + index)
}

function sendFile(order: FloodOrder, index: number) {
  return upload(order, new Uint8Array(7_500_000), 50 + index)
}

function upload({ url, account_id }: FloodOrder, bytes: Uint8Array<ArrayBuffer>, index: number) {
  const form = new FormData()
  form.append('account_id', account_id)
  form.append('file', new Blob([bytes]), 'flood.bin')
  return answered(fetch(`${url}/api/upload`, { method: 'POST', body: form, headers: from(index) }))
}

async function answered(pending: Promise<Response>): Promise<void> {
  await (await pending).arrayBuffer()
}
