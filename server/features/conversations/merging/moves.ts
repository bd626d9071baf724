import { type RawBuilder, sql } from 'kysely'
import type { ConversationMove } from '#contract/conversations/merging.ts'
import { MOVE_UNDO_DAYS } from '#contract/conversations/merging.ts'
import { NotFound, Unacceptable } from '../../../errors.ts'
import type { Change, Db } from '../../../platform/db/change.ts'
import { toJson } from '../../../platform/db/to-json.ts'
import { newId } from '../../../platform/secrets.ts'
import type { ConversationDbRow, Values } from '../conversations/conversations.ts'
import { lockConversation } from '../conversations/conversations.ts'
import type { Position } from '../conversations/moving-messages.ts'

/** The columns of a conversation that a merge or a split changes, besides what its messages say. */
const CHANGED = [
  'status',
  'closed_at',
  'closed_by_id',
  'assignee_id',
  'priority',
  'read',
  'snoozed_at',
  'snoozed_until',
  'last_activity_at',
  'first_replied_at',
  'unseen_mention_user_ids',
] as const

type State = Pick<ConversationDbRow, (typeof CHANGED)[number]>

/** What a move changed, so that undoing it restores exactly that. */
export interface MoveRecord {
  from: State
  to: State
  /** What the move made of the receiving conversation: what was changed since, stays. */
  after: Values
  /** The newest number of the receiving conversation before. */
  to_last_number: number
  /** Tags, external threads and merged conversations that went over. */
  tag_ids: string[]
  thread_ids: string[]
  merged_ids: string[]
}

export function stateOf(conversation: ConversationDbRow): State {
  return Object.fromEntries(CHANGED.map((column) => [column, conversation[column]])) as unknown as State
}

export interface Move {
  account_id: string
  id: string
  kind: ConversationMove['kind']
  from_id: string
  to_id: string
  created_at: string
  before: MoveRecord
}

/** Records a move, with the present positions of all messages that it is going to change. */
export async function recordMove(
  { db }: Change,
  move: Omit<Move, 'id' | 'created_at'> & { user_id: number },
  positions: Position[],
): Promise<void> {
  const id = newId()
  const { account_id } = move
  await db
    .insertInto('conversation_moves')
    .values({ ...move, id, before: toJson(move.before) })
    .execute()
  const rows = positions.map(({ id: message_id, conversation_id, number }) => ({
    account_id,
    move_id: id,
    message_id,
    conversation_id,
    number,
  }))
  for (let start = 0; start < rows.length; start += 5_000) {
    await db
      .insertInto('moved_messages')
      .values(rows.slice(start, start + 5_000))
      .execute()
  }
}

/** Locks both conversations of a move: a pointer before what it points to, as posting does. */
export async function lockBoth({ db }: Change, account_id: string, first_id: string, second_id: string) {
  const first = await lockConversation(db, account_id, first_id)
  const second = await lockConversation(db, account_id, second_id)
  return [first, second] as const
}

/**
 * The move with this id, if it can be undone.
 * @throws NotFound if it was undone; Unacceptable if it is too old, or a later one builds upon it
 */
export async function getUndoable(db: Db, account_id: string, id: string): Promise<Move> {
  const [move] = await readMoves(db, account_id, sql`m.id = ${id}`)
  if (!move) throw new NotFound()
  if (!isRecent(move)) throw new Unacceptable(`This can be undone for ${MOVE_UNDO_DAYS} days.`)
  if (move.is_covered) throw new Unacceptable('Undo the later merges and splits of these conversations first.')
  return move
}

/** The moves of a conversation that were not undone, latest first. */
export async function listMoves(db: Db, account_id: string, conversation_id: string): Promise<ConversationMove[]> {
  const moves = await readMoves(db, account_id, sql`${conversation_id} in (m.from_id, m.to_id)`)
  return moves.map(({ id, kind, from_id, from_subject, to_id, to_subject, user_id, created_at, is_covered }) => ({
    id,
    object: 'conversation_move',
    kind,
    from_id,
    from_subject,
    to_id,
    to_subject,
    user_id,
    created_at,
    can_undo: isRecent({ created_at }) && !is_covered,
  }))
}

interface ReadMove extends Move {
  from_subject: string | null
  to_subject: string | null
  user_id: number | null
  /** Whether a later move concerns one of its conversations. */
  is_covered: boolean
}

async function readMoves(db: Db, account_id: string, condition: RawBuilder<unknown>): Promise<ReadMove[]> {
  const { rows } = await sql<ReadMove>`
    select m.account_id, m.id, m.kind, m.from_id, m.to_id, m.user_id, m.created_at, m.before,
           f.subject as from_subject, t.subject as to_subject,
           exists (
             select from conversation_moves later
             where later.account_id = m.account_id and later.undone_at is null and later.id <> m.id
               and (later.from_id in (m.from_id, m.to_id) or later.to_id in (m.from_id, m.to_id))
               and later.created_at > m.created_at
           ) as is_covered
    from conversation_moves m
    join conversations f on f.account_id = m.account_id and f.id = m.from_id
    join conversations t on t.account_id = m.account_id and t.id = m.to_id
    where m.account_id = ${account_id} and m.undone_at is null and ${condition}
    order by m.created_at desc`.execute(db)
  return rows
}

function isRecent({ created_at }: { created_at: string }): boolean {
  return Date.parse(created_at) >= Date.now() - MOVE_UNDO_DAYS * 86_400_000
}
