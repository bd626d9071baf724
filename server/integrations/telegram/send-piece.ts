import { buffer } from 'node:stream/consumers'
import * as z from 'zod/mini'
import type { Context } from '../../context.ts'
import { findFile } from '../../features/conversations/files/files.ts'
import { PermanentFailure } from '../../integration.ts'
import { callTelegram, TelegramRefused } from './client.ts'
import type { Piece, SentFile } from './pieces.ts'

const Sent = z.object({ message_id: z.int() })
const FILES_MS = 120_000

interface Target {
  token: string
  chat_id: string
}

type Files = Extract<Piece, { files: SentFile[] }>

/**
 * Sends one piece of a message. Returns the numbers of the messages that it became.
 * @throws as `callTelegram`
 */
export async function sendPiece(context: Context, target: Target, piece: Piece): Promise<number[]> {
  const { token, chat_id } = target
  if (piece.kind === 'text') {
    const { text, entities } = piece.text
    const fields = { chat_id, text, entities, link_preview_options: { is_disabled: true } }
    return [(await callTelegram(context, token, 'sendMessage', Sent, { fields })).message_id]
  }
  try {
    return await sendFiles(context, target, piece)
  } catch (error) {
    // A picture in a form that Telegram cannot show, although it looks like one.
    const isNoPhoto = error instanceof TelegramRefused && /photo|image_process|media_invalid/i.test(error.description)
    if (piece.kind !== 'photos' || !isNoPhoto) throw error
    return sendFiles(context, target, { ...piece, kind: 'documents' })
  }
}

async function sendFiles(context: Context, { token, chat_id }: Target, { kind, files }: Files): Promise<number[]> {
  const type = kind === 'photos' ? 'photo' : 'document'
  const parts = new Map<string, File>()
  for (const [at, file] of files.entries()) parts.set(`file${at}`, await readFile(context, file))
  const call = { files: parts, timeout_ms: FILES_MS }
  if (files.length === 1) {
    const fields = { chat_id, [type]: 'attach://file0' }
    const method = kind === 'photos' ? 'sendPhoto' : 'sendDocument'
    return [(await callTelegram(context, token, method, Sent, { ...call, fields })).message_id]
  }
  const media = files.map((_, at) => ({ type, media: `attach://file${at}` }))
  const sent = await callTelegram(context, token, 'sendMediaGroup', z.array(Sent), {
    ...call,
    fields: { chat_id, media },
  })
  return sent.map(({ message_id }) => message_id)
}

async function readFile({ db, files }: Context, { id, filename, content_type }: SentFile): Promise<File> {
  const stored = await findFile(db, id)
  const stream = stored && (await files.get(stored.key))
  if (!stream) throw new PermanentFailure(`The file ${filename} no longer exists.`)
  return new File([new Uint8Array(await buffer(stream))], filename, { type: content_type })
}
