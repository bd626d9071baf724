import type { Message } from '#contract/conversations/messages.ts'
import { plainText } from '#contract/text/plain.ts'
import type { Context } from '../../context.ts'
import { splitText } from '../../features/connections/deliveries/split-text.ts'
import { loadFiles } from '../../features/conversations/files/files.ts'
import { webhookOf } from './client.ts'
import { isWhatsapp } from './whatsapp.ts'

/** One message at Twilio. */
export interface Part {
  body: string
  /** Addresses of files that Twilio fetches. */
  media: string[]
}

/** Maximum length of one Twilio message in characters, over WhatsApp as well. */
const PART_LENGTH = 1600

/** A message split into the parts that are sent to an address. Files that Twilio cannot send are links in its text. */
export async function partsOf(context: Context, message: Message, to: string): Promise<Part[]> {
  const media = await listMedia(context, message, isWhatsapp(to) ? fitsWhatsapp : fitsMms)
  const links = message.attachments.map(({ file_url }) => file_url).filter((address) => !media.includes(address))
  const texts = splitText([plainText(message), ...links].filter(Boolean).join('\n'), PART_LENGTH)
  // Over WhatsApp a message has one file, and some kinds of files have no text below them.
  if (isWhatsapp(to)) return [...texts.map(textPart), ...media.map((address) => ({ body: '', media: [address] }))]
  const [first = '', ...others] = texts
  return texts.length > 0 || media.length > 0 ? [{ body: first, media }, ...others.map(textPart)] : []
}

function textPart(body: string): Part {
  return { body, media: [] }
}

type OwnFile = Awaited<ReturnType<typeof loadFiles>>[number]

/** Addresses of files that Twilio can fetch from here and send. */
async function listMedia(
  context: Context,
  { account_id, attachments }: Message,
  choose: (files: OwnFile[]) => OwnFile[],
): Promise<string[]> {
  if (!webhookOf(context)) return []
  const ids = attachments.map(({ id }) => id)
  return choose(await loadFiles(context.db, account_id, ids)).map(({ file_url }) => file_url)
}

const MMS_TYPES = /^image\/(jpeg|png|gif)$/
const MAX_MEDIA = 10
const MEDIA_BYTES = 5_000_000

/** The pictures that fit into one text message. */
function fitsMms(files: OwnFile[]): OwnFile[] {
  const pictures = files.filter(({ content_type }) => MMS_TYPES.test(content_type))
  const fitting = pictures.filter((_, index) => sumOf(pictures.slice(0, index + 1)) <= MEDIA_BYTES)
  return fitting.slice(0, MAX_MEDIA)
}

function sumOf(files: { size: number }[]): number {
  return files.reduce((sum, { size }) => sum + size, 0)
}

/** What WhatsApp takes over Twilio, and up to how many bytes. */
const WHATSAPP_TYPES: [RegExp, max_bytes: number][] = [
  [/^image\/(jpeg|png)$/, 5_000_000],
  [/^(video\/mp4|audio\/(mpeg|ogg|aac|amr|mp4)|application\/pdf)$/, 16_000_000],
]

function fitsWhatsapp(files: OwnFile[]): OwnFile[] {
  return files.filter(({ content_type, size }) =>
    WHATSAPP_TYPES.some(([types, max_bytes]) => types.test(content_type) && size <= max_bytes),
  )
}
