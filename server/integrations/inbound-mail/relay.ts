import { createHash, timingSafeEqual } from 'node:crypto'
import { inboundMail } from '#contract/inbound-mail.ts'
import type { Context } from '../../context.ts'
import { Refusal } from '../../errors.ts'
import { MailUnreadable, parseMail } from '../../features/conversation-mails/parse.ts'
import { listRecipients } from '../../features/conversation-mails/thread-signs.ts'
import { findTarget, storeMail } from '../../features/forwarding-addresses/routing.ts'
import type { Routes } from '../../platform/http/routes.ts'
import type { SignatureScheme } from '../../platform/http/signatures.ts'
import { type RelayedMail, readRelayed } from './relay-formats.ts'

/** Whoever knows the key in the address is the relay. Nothing else is common to all of them. */
export function inboundMailKey({ config }: Context): SignatureScheme {
  return {
    verify({ url }) {
      const [, given] = /\/inbound_mail\/([^/?]+)/.exec(url ?? '') ?? []
      if (!given || !config.mailInKey) return false
      return timingSafeEqual(digest(decodeURIComponent(given)), digest(config.mailInKey))
    },
  }
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

export function openInboundMail(routes: Routes, context: Context) {
  routes.route(inboundMail.take, async ({ request, query }) => {
    const relayed = await readRelayed(request.headers, request.rawBody ?? Buffer.alloc(0), query)
    const recipients = await recipientsOf(context, relayed)
    // Relays take 406 for the end of it, and try anything else again.
    if (recipients.length === 0) throw new Refusal(406, 'No recipient of this mail is an address of this installation.')
    await storeMail(context, { ...relayed, recipients })
    return { ok: true }
  })
}

/** The envelope, or where the relay tells none, what the headers say. */
async function recipientsOf(context: Context, { raw, recipients }: RelayedMail): Promise<string[]> {
  const named = await keepOwn(context, recipients)
  if (named.length > 0) return named
  const mail = await parseMail(raw).catch((error: unknown) => {
    if (error instanceof MailUnreadable) throw new Refusal(406, error.message)
    throw error
  })
  return keepOwn(context, listRecipients(mail, []))
}

async function keepOwn(context: Context, addresses: string[]): Promise<string[]> {
  const targets = await Promise.all(
    addresses.slice(0, 200).map(async (one) => ((await findTarget(context, one)) ? one : [])),
  )
  return targets.flat()
}
