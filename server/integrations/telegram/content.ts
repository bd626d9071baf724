import { cutText } from '#contract/text/graphemes.ts'
import { toMarkdown } from './to-markdown.ts'
import type { TelegramMessage, TelegramUser } from './updates.ts'

/** A file that is still at Telegram. */
export interface FileThere {
  file_id: string
  filename: string
  size: number | undefined
}

/** What a message says, before its files are fetched. */
export interface Content {
  /** Markdown. */
  body: string
  files: FileThere[]
  /** A contact card, which is written here. */
  vcard?: { filename: string; bytes: Buffer }
}

const QUOTED = 200

/** Fields that every message may have. What else it has is its kind. */
const COMMON = new Set([
  ...['message_id', 'from', 'chat', 'date', 'edit_date', 'media_group_id', 'caption', 'caption_entities', 'entities'],
  ...['reply_to_message', 'quote', 'external_reply', 'reply_to_story', 'forward_origin', 'is_automatic_forward'],
  ...['has_protected_content', 'is_from_offline', 'author_signature', 'link_preview_options', 'effect_id', 'via_bot'],
  ...['show_caption_above_media', 'has_media_spoiler', 'reply_markup', 'sender_boost_count', 'paid_star_count'],
  ...['message_thread_id', 'is_topic_message', 'sender_chat', 'sender_business_bot', 'business_connection_id'],
])
/** Remarks of Telegram about the chat, in which nobody says anything. */
const REMARKS = new Set([
  ...['pinned_message', 'message_auto_delete_timer_changed', 'chat_background_set', 'write_access_allowed'],
  ...['connected_website', 'direct_message_price_changed'],
])

/** Reads a message. Undefined if nobody says anything in it. */
export function readContent(message: TelegramMessage): Content | undefined {
  const kind = Object.keys(message).find((name) => !COMMON.has(name) && message[name] !== undefined)
  if (kind && REMARKS.has(kind)) return undefined
  const { lines, ...content } = readKind(message, kind)
  const text = toMarkdown(message.caption ?? '', message.caption_entities)
  const body = [...contextOf(message), [...lines, text].filter((line) => line.trim()).join('\n')]
  return { files: [], ...content, body: body.filter(Boolean).join('\n\n') }
}

interface Kind {
  lines: string[]
  files?: FileThere[]
  vcard?: Content['vcard']
}

function readKind(message: TelegramMessage, kind: string | undefined): Kind {
  const { text, photo, sticker, contact, venue, location, message_id } = message
  if (text !== undefined) return { lines: [toMarkdown(text, message.entities)] }
  if (photo?.length) {
    const largest = photo.reduce((a, b) => (b.width * b.height > a.width * a.height ? b : a))
    return { lines: [], files: [fileOf(largest, `photo-${message_id}.jpg`)] }
  }
  if (sticker) {
    const isPicture = !sticker.is_animated && !sticker.is_video
    const lines = [`${sticker.emoji ?? ''} [sticker]`.trim()]
    return isPicture ? { lines: [], files: [fileOf(sticker, `sticker-${message_id}.webp`)] } : { lines }
  }
  if (venue) return { lines: [`${plain(venue.title)}, ${plain(venue.address)}`, mapOf(venue.location)] }
  if (location) return { lines: [location.live_period ? 'Live location, as it was shared:' : '', mapOf(location)] }
  if (contact) return readContact(contact)
  const file = readFile(message)
  return file ? { lines: [], files: [file] } : { lines: [`[${plain(kind ?? 'message')} not shown]`] }
}

/** An animation is also set as a document. */
function readFile({ animation, document, audio, voice, video, video_note, message_id }: TelegramMessage) {
  if (animation) return fileOf(animation, `animation-${message_id}.mp4`)
  if (document) return fileOf(document, `document-${message_id}`)
  if (audio) return fileOf(audio, `audio-${message_id}.mp3`)
  if (voice) return fileOf(voice, `voice-${message_id}.ogg`)
  if (video) return fileOf(video, `video-${message_id}.mp4`)
  return video_note && fileOf(video_note, `video-${message_id}.mp4`)
}

function fileOf(
  {
    file_id,
    file_name,
    file_size,
  }: { file_id: string; file_name?: string | undefined; file_size?: number | undefined },
  filename: string,
): FileThere {
  return { file_id, filename: file_name?.slice(0, 200) || filename, size: file_size }
}

function readContact(contact: NonNullable<TelegramMessage['contact']>): Kind {
  const { phone_number, first_name, last_name, vcard } = contact
  const name = [first_name, last_name].filter(Boolean).join(' ')
  const line = (text: string) => text.replaceAll(/[\r\n]+/g, ' ').replaceAll(/[\\;,]/g, '\\$&')
  const card = `BEGIN:VCARD\r\nVERSION:3.0\r\nN:${line(last_name ?? '')};${line(first_name)};;;\r\nFN:${line(name)}\r\nTEL:${line(phone_number)}\r\nEND:VCARD\r\n`
  const bytes = Buffer.from(vcard || card)
  return { lines: [`${plain(name)}: ${plain(phone_number)}`], vcard: { filename: 'contact.vcf', bytes } }
}

function mapOf({ latitude, longitude }: { latitude: number; longitude: number }): string {
  return `https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=16/${latitude}/${longitude}`
}

/** From whom it was forwarded, and what it answers. */
function contextOf(message: TelegramMessage): string[] {
  const { forward_origin, reply_to_message, quote, external_reply } = message
  const lines: string[] = []
  if (forward_origin) {
    const { sender_user, sender_user_name, sender_chat, chat } = forward_origin
    const who = sender_user ? nameOf(sender_user) : (sender_user_name ?? sender_chat?.title ?? chat?.title)
    lines.push(`Forwarded from ${plain(who ?? 'somebody')}:`)
  }
  const quoted = quote?.text ?? reply_to_message?.text ?? reply_to_message?.caption
  if (quoted?.trim()) lines.push(plain(cutText(quoted.trim(), QUOTED)).replaceAll(/^/gm, '> '))
  else if (external_reply) lines.push('> A message in another chat')
  return lines
}

/** Words of somebody else in a line of ours. */
function plain(text: string): string {
  return toMarkdown(text)
}

/** A person's name as Telegram shows it. */
export function nameOf({ first_name, last_name, username }: TelegramUser): string {
  return [first_name, last_name].filter(Boolean).join(' ').trim() || username || 'Telegram user'
}
