import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { Context } from '../../context.ts'
import type { SignatureScheme } from '../../platform/http/signatures.ts'
import { isSignedByMailgun } from './mailgun.ts'
import { readForm } from './relay-formats.ts'
import { isSignedBySns, isSns, readSns } from './sns.ts'

/** The key in the address identifies the relay. Relays that can sign must also have signed. */
export function inboundMailSignature(context: Context): SignatureScheme {
  return {
    async verify({ url, headers }, rawBody) {
      return isKey(context, url ?? '') && (await isSignedByRelay(context, headers, rawBody))
    },
  }
}

function isKey({ config }: Context, url: string): boolean {
  const { pathname, searchParams } = new URL(url, 'http://here')
  const [, inPath] = /\/inbound_mail\/([^/]+)$/.exec(pathname) ?? []
  const key = inPath === undefined ? searchParams.get('key') : decodeURIComponent(inPath)
  if (!key || !config.mailInKey) return false
  return timingSafeEqual(digest(key), digest(config.mailInKey))
}

async function isSignedByRelay(context: Context, headers: IncomingHttpHeaders, body: Buffer): Promise<boolean> {
  if (isSns(headers)) return isSignedBySns(context, readSns(body))
  const { limits, config } = context
  if (!config.mailInMailgunKey) return true
  // With a Mailgun signing key set, unsigned calls are refused: otherwise an attacker who knows the key in the address
  // could leave the signature out.
  const form = await readForm(headers, body)
  return !!form && isSignedByMailgun({ limits, signingKey: config.mailInMailgunKey }, form, body)
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
