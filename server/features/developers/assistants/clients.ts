import * as z from 'zod/mini'
import type { ConsentRequest } from '#contract/developers/assistants.ts'
import type { Context } from '../../../context.ts'
import { Unacceptable } from '../../../errors.ts'
import { parseForeignJson } from '../../../platform/json.ts'
import { AddressRefused } from '../../../platform/outbound/guard.ts'
import { OutboundFailed } from '../../../platform/outbound/outbound.ts'
import { readSignedToken, signToken } from '../../../platform/signed-token.ts'

/** A program that asks for consent. What it says of itself proves nothing but its redirect addresses. */
export interface Client {
  id: string
  name: string
  redirect_uris: string[]
}

/** What a program says of itself, in its metadata document or when it registers (RFC 7591). Other fields are ignored. */
export const ClientMetadata = z.object({
  client_name: z.optional(z.string().check(z.trim(), z.maxLength(200))),
  redirect_uris: z.array(z.string().check(z.maxLength(500))).check(z.minLength(1), z.maxLength(10)),
})
type ClientMetadata = z.output<typeof ClientMetadata>

const DOCUMENT_BYTES = 10_000
const DOCUMENT_MS = 5_000
const PURPOSE = 'assistant client'
const UNKNOWN = 'This program is not known here. Let it connect anew.'

/**
 * Registers a program: the id contains what it has said, signed, so that nothing is stored for programs that nobody
 * ever allows anything.
 * @throws Unacceptable for an address to which no code may be sent
 */
export function registerClient(secretKey: string, { client_name, redirect_uris }: ClientMetadata): Client {
  for (const uri of redirect_uris) assertMayRedirect(uri)
  const name = client_name || 'Unnamed program'
  const said = Buffer.from(JSON.stringify({ client_name: name, redirect_uris })).toString('base64url')
  return { id: signToken(secretKey, PURPOSE, [said]), name, redirect_uris }
}

/**
 * Finds a program by its id: one of ours, or the https address of its metadata document. Servers without a way to the
 * internet cannot read that: then a program on the person's own machine is known by the address alone, which allows it
 * no more than registering would, where it could name itself.
 * @throws Unacceptable with a sentence for the person who is asked
 */
export async function findClient(
  { config, outbound }: Context,
  { client_id, redirect_uri }: Pick<ConsentRequest, 'client_id' | 'redirect_uri'>,
): Promise<Client> {
  if (!/^https?:\/\//i.test(client_id)) return readRegistered(config.secretKey!, client_id)
  const url = URL.parse(client_id)
  if (url?.protocol !== 'https:' || url.pathname === '/' || url.hash || url.username) throw new Unacceptable(UNKNOWN)
  const answer = await outbound
    .request(client_id, { max_bytes: DOCUMENT_BYTES, timeout_ms: DOCUMENT_MS, headers: { accept: 'application/json' } })
    .catch((error) => {
      if (error instanceof OutboundFailed && isLocal(redirect_uri)) return
      if (!(error instanceof OutboundFailed || error instanceof AddressRefused)) throw error
      throw new Unacceptable(
        `This server cannot read the description of the program at ${url.host}. Let it reach that address, or give the program an API key. ${error.message}`,
      )
    })
  if (!answer) return { id: client_id, name: url.host, redirect_uris: [redirect_uri] }
  const document = answer.ok ? z.safeParse(Document, parseForeignJson(answer.bytes.toString())).data : undefined
  if (document?.client_id !== client_id)
    throw new Unacceptable(`At ${url.host} there is no valid description of this program.`)
  return { id: client_id, name: document.client_name || url.host, redirect_uris: document.redirect_uris }
}

const Document = z.extend(ClientMetadata, { client_id: z.string() })

function readRegistered(secretKey: string, client_id: string): Client {
  const [said] = readSignedToken(secretKey, PURPOSE, client_id) ?? []
  if (!said) throw new Unacceptable(UNKNOWN)
  const { client_name, redirect_uris } = z.parse(ClientMetadata, JSON.parse(Buffer.from(said, 'base64url').toString()))
  return { id: client_id, name: client_name!, redirect_uris }
}

/** Where an answer goes, for people: the host, or the scheme of a program on their machine. */
export function hostOf(uri: string): string {
  const { host, protocol } = new URL(uri)
  return host || protocol
}

/** Schemes that well-known programs on the person's machine have registered for themselves. */
const PROGRAM_SCHEMES = ['cursor:', 'vscode:', 'vscode-insiders:', 'claude:']

/** Whether an address is on the machine of the person who is asked. */
export function isLocal(uri: string): boolean {
  const url = URL.parse(uri)
  return !!url && (PROGRAM_SCHEMES.includes(url.protocol) || isLoopback(url.protocol, url.hostname))
}

function isLoopback(protocol: string, hostname: string): boolean {
  return protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
}

/** @throws Unacceptable for an address that is neither encrypted nor on the person's machine */
function assertMayRedirect(uri: string): void {
  const url = URL.parse(uri)
  if (url && !url.hash && (url.protocol === 'https:' || isLocal(uri))) return
  throw new Unacceptable('Redirect addresses have to begin with https, or to be on the same machine.')
}

/**
 * Checks where a code may be sent: exactly to one of the program's addresses. Programs on the person's machine may use
 * any port (RFC 8252).
 * @throws Unacceptable
 */
export function assertRedirect({ redirect_uris }: Client, uri: string): void {
  assertMayRedirect(uri)
  if (redirect_uris.some((registered) => withoutLocalPort(registered) === withoutLocalPort(uri))) return
  throw new Unacceptable('This program asks to be answered at an address that is not its own.')
}

function withoutLocalPort(uri: string): string {
  const url = URL.parse(uri)
  if (!url || !isLoopback(url.protocol, url.hostname)) return uri
  url.port = ''
  return url.href
}
