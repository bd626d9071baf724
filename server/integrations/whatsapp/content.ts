import * as z from 'zod/mini'

/** A file of a message, still at Meta. */
export interface ReceivedMedia {
  id: string
  mime_type: string
  filename: string | undefined
}

/** What a message of any kind says in the inbox. */
export interface Content {
  body: string
  media?: ReceivedMedia
}

const Media = z.looseObject({
  id: z.string().check(z.regex(/^[\w-]{1,200}$/)),
  mime_type: z.optional(z.string()),
  filename: z.optional(z.string()),
  caption: z.optional(z.string()),
})
const Reply = z.optional(z.looseObject({ title: z.optional(z.string()), description: z.optional(z.string()) }))

const KINDS = {
  text: z.looseObject({ body: z.string() }),
  image: Media,
  video: Media,
  audio: Media,
  document: Media,
  sticker: Media,
  location: z.looseObject({
    latitude: z.number(),
    longitude: z.number(),
    name: z.optional(z.string()),
    address: z.optional(z.string()),
  }),
  contacts: z.array(
    z.looseObject({
      name: z.optional(z.looseObject({ formatted_name: z.optional(z.string()) })),
      phones: z.optional(z.array(z.looseObject({ phone: z.optional(z.string()) }))),
      emails: z.optional(z.array(z.looseObject({ email: z.optional(z.string()) }))),
    }),
  ),
  interactive: z.looseObject({ button_reply: Reply, list_reply: Reply }),
  button: z.looseObject({ text: z.string() }),
}
type Kinds = { [Kind in keyof typeof KINDS]: z.output<(typeof KINDS)[Kind]> }

const WRITERS: { [Kind in keyof Kinds]: (value: Kinds[Kind]) => Content } = {
  text: ({ body }) => ({ body }),
  image: readMedia,
  video: readMedia,
  audio: readMedia,
  document: readMedia,
  sticker: readMedia,
  location: ({ latitude, longitude, name, address }) => ({
    body: [
      name,
      address,
      `https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=16/${latitude}/${longitude}`,
    ]
      .filter(Boolean)
      .join('\n'),
  }),
  contacts: (contacts) => ({
    body: contacts
      .map(({ name, phones = [], emails = [] }) =>
        [name?.formatted_name, ...phones.map(({ phone }) => phone), ...emails.map(({ email }) => email)]
          .filter(Boolean)
          .join(', '),
      )
      .join('\n'),
  }),
  interactive: ({ button_reply, list_reply }) => ({
    body: [button_reply?.title ?? list_reply?.title, list_reply?.description].filter(Boolean).join('\n'),
  }),
  button: ({ text }) => ({ body: text }),
}

function readMedia({ id, mime_type = '', filename, caption = '' }: Kinds['image']): Content {
  return { body: caption, media: { id, mime_type, filename } }
}

/** Reads a message of Meta. Kinds that cannot be shown are named, so that nobody waits for an answer to nothing. */
export function readContent(message: { type: string; [field: string]: unknown }): Content {
  const { type } = message
  const content = Object.hasOwn(KINDS, type) ? readKind(type as keyof Kinds, message[type]) : undefined
  return content && (content.body.trim() || content.media) ? content : { body: `[${kindIn(message)} not shown]` }
}

function readKind<Kind extends keyof Kinds>(kind: Kind, value: unknown): Content | undefined {
  const { success, data } = z.safeParse(KINDS[kind], value)
  return success ? WRITERS[kind](data as Kinds[Kind]) : undefined
}

/** Of messages that the API does not support Meta tells at most what they are. */
function kindIn(message: { type: string; [field: string]: unknown }): string {
  const inner = z.safeParse(z.looseObject({ type: z.string() }), message.unsupported)
  const kind = message.type === 'unsupported' && inner.success ? inner.data.type : message.type
  return kind.slice(0, 50)
}

const Context = z.looseObject({
  id: z.optional(z.string()),
  forwarded: z.optional(z.boolean()),
  frequently_forwarded: z.optional(z.boolean()),
})

/** The message that is answered, and whether it was forwarded. */
export function readReference(message: { [field: string]: unknown }): { id: string | undefined; isForwarded: boolean } {
  const { success, data } = z.safeParse(Context, message.context)
  return success
    ? { id: data.id, isForwarded: !!(data.forwarded || data.frequently_forwarded) }
    : { id: undefined, isForwarded: false }
}

const Referral = z.looseObject({ headline: z.optional(z.string()), source_url: z.optional(z.string()) })

/** The advertisement that led to the message, as a note; undefined without one. */
export function readReferral({ referral }: { [field: string]: unknown }): string | undefined {
  const { success, data } = z.safeParse(Referral, referral)
  if (!success) return undefined
  const details = [data.headline, data.source_url].filter(Boolean).join(' – ').slice(0, 1000)
  return `The customer came from an advertisement${details ? `: ${details}` : '.'}`
}

/** The part of a reaction that matters; an empty emoji takes it back. */
export const Reaction = z.looseObject({ message_id: z.string(), emoji: z.optional(z.string()) })

/** A notice of WhatsApp about a person. */
export const SystemNotice = z.looseObject({
  type: z.optional(z.string()),
  body: z.optional(z.string()),
  wa_id: z.optional(z.string()),
  new_wa_id: z.optional(z.string()),
  user_id: z.optional(z.string()),
})
