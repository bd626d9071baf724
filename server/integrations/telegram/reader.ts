import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod/mini'
import type { Context } from '../../context.ts'
import { saveCursor } from '../../features/connections/authorizations/connect.ts'
import { recordNotice } from '../../features/connections/authorizations/notice.ts'
import { storeInbound } from '../../features/connections/inbound/store-event.ts'
import { ConnectionRevoked } from '../../integration.ts'
import type { Change } from '../../platform/db/change.ts'
import type { LiveConnection } from '../../platform/outbound/live-connections.ts'
import { ALBUM_MS } from './album.ts'
import { callTelegram, ReceivedElsewhere } from './client.ts'
import type { Telegram, TelegramCursor } from './connection.ts'
import { chatOf, RawUpdate, WANTED_UPDATES } from './updates.ts'

const BATCH = 100
/** Telegram keeps what was not read for this long. */
const KEPT_MS = 24 * 3_600_000
/**
 * Numbers of updates begin anew after a week without any. Telegram forgets everything below the number that it is asked
 * for, so an older number would lose messages.
 */
const OFFSET_MS = 6 * KEPT_MS
/** How long people are told that messages are missing. */
const TOLD_MS = 3 * KEPT_MS
/** One refusal alone happens when another server of this installation takes over. */
const REFUSALS = 3

/** Receives a bot's messages by asking for them again and again; Telegram answers once there are some. */
export async function connect(context: Context, telegram: Telegram, signal: AbortSignal): Promise<LiveConnection> {
  const stop = new AbortController()
  const reader = new UpdateReader(context, telegram, AbortSignal.any([signal, stop.signal]))
  // Answers at once, with what arrived since the last time.
  await reader.readOnce(0)
  const closed = reader.readOn()
  closed.catch(() => undefined)
  return { closed, close: async () => stop.abort() }
}

class UpdateReader {
  readonly #context: Context
  readonly #telegram: Telegram
  readonly #signal: AbortSignal
  #cursor: TelegramCursor | null
  #refusals = 0

  constructor(context: Context, telegram: Telegram, signal: AbortSignal) {
    this.#context = context
    this.#telegram = telegram
    this.#signal = signal
    const { cursor, settings } = telegram
    this.#cursor = cursor?.bot_id === settings.bot_id ? cursor : null
  }

  /** Reads until it is stopped, or fails. */
  async readOn(): Promise<void> {
    const { silence } = this.#context.timing
    while (!this.#signal.aborted) await this.readOnce(Math.max(Math.floor(silence / 1000), 1))
  }

  /**
   * Stores the updates that Telegram has, waiting some seconds if there are none. Only the next call confirms them: what
   * was not stored when the process died comes again.
   */
  async readOnce(seconds: number): Promise<void> {
    const updates = await this.#fetch(seconds)
    if (this.#signal.aborted) return
    const last = updates.at(-1)
    const gap_at = this.#isAfterGap() ? new Date().toISOString() : this.#cursor?.gap_at
    const cursor = {
      bot_id: this.#telegram.settings.bot_id,
      ...(last && { offset: last.update_id + 1 }),
      ...(gap_at && Date.now() - Date.parse(gap_at) < TOLD_MS && { gap_at }),
      read_at: new Date().toISOString(),
    }
    await this.#context.change(async (tx) => {
      for (const update of updates) await this.#store(tx, update)
      await saveCursor(tx, this.#telegram.account_id, this.#telegram.id, cursor)
      if (this.#isAfterGap()) await recordNotice(tx, this.#telegram, describeGap(this.#cursor!.read_at))
      else if (gap_at && !cursor.gap_at) await recordNotice(tx, this.#telegram, null)
    })
    this.#cursor = cursor
  }

  async #fetch(seconds: number): Promise<RawUpdate[]> {
    const { answer } = this.#context.timing
    const offset = isRecent(this.#cursor) ? this.#cursor?.offset : undefined
    const fields = { offset, limit: BATCH, timeout: seconds, allowed_updates: WANTED_UPDATES }
    const call = { fields, isReading: true, timeout_ms: seconds * 1000 + answer, signal: this.#signal }
    const { token } = this.#telegram.credentials
    try {
      const updates = await callTelegram(this.#context, token, 'getUpdates', z.array(RawUpdate), call)
      this.#refusals = 0
      return updates
    } catch (error) {
      if (this.#signal.aborted) return []
      if (!(error instanceof ReceivedElsewhere)) throw error
      return this.#waitForTurn(error)
    }
  }

  /** @throws ConnectionRevoked if another program keeps receiving the messages */
  async #waitForTurn({ by }: ReceivedElsewhere): Promise<RawUpdate[]> {
    if (by === 'webhook')
      throw new ConnectionRevoked(
        'Another program has told Telegram to send it the messages of this bot. Connect it again to receive them here.',
      )
    this.#refusals++
    if (this.#refusals >= REFUSALS)
      throw new ConnectionRevoked(
        'Another program receives the messages of this bot with the same token. Stop it, or ask @BotFather for a new token; then connect it again.',
      )
    await sleep(this.#context.timing.firstWait, undefined, { signal: this.#signal, ref: false }).catch(() => undefined)
    return this.#signal.aborted ? [] : this.#fetch(0)
  }

  /** In one transaction with the position. A repeat is stored once. */
  async #store(tx: Change, update: RawUpdate): Promise<void> {
    const { account_id, id, settings } = this.#telegram
    const isOfAlbum = !!(update.message as { media_group_id?: unknown } | undefined)?.media_group_id
    await storeInbound(this.#context, tx, {
      account_id,
      integration: 'telegram',
      authorization_id: id,
      key: `${settings.bot_id} ${update.update_id}`,
      queue: `${id} ${chatOf(update)}`,
      payload: update,
      ...(isOfAlbum && { not_before: new Date(Date.now() + ALBUM_MS) }),
    })
  }

  /** After a long outage messages are missing, which nobody would notice. */
  #isAfterGap(): boolean {
    return !!this.#cursor && Date.now() - Date.parse(this.#cursor.read_at) > KEPT_MS
  }
}

function describeGap(read_at: string): string {
  const show = (time: number) => `${new Date(time).toISOString().slice(0, 16).replace('T', ' ')} UTC`
  const lost = `${show(Date.parse(read_at))} and ${show(Date.now() - KEPT_MS)}`
  return `Telegram keeps messages for 24 hours. Those sent between ${lost}, while it was not asked, are lost: customers who wrote then have to write again.`
}

function isRecent(cursor: TelegramCursor | null): boolean {
  return !!cursor && Date.now() - Date.parse(cursor.read_at) < OFFSET_MS
}
