import { AsyncLocalStorage } from 'node:async_hooks'
import { Refusal } from '../../errors.ts'
import { type Change, type MakeChange, Pending } from './change.ts'

/** With more, the first of a group would wait too long for the others. */
const MAX_GROUP = 32
/** The same as the longest wait for a database connection. */
const WAIT_TIMEOUT_MS = 10_000

/**
 * Runs work in a transaction that other work of the same account may share: calls made while a transaction is running
 * are grouped into the next one, so that many share one commit. A single caller never waits and has a transaction of
 * its own. Work with the same key never shares a transaction and runs in the order of the calls.
 *
 * As with any change, the work may run again, so it must touch nothing but the database. If it fails or throws
 * `NeedsOwnTransaction`, the others are stored all the same.
 */
export type GroupedChange = <Result>(
  account_id: string,
  key: string,
  work: (change: Change) => Promise<Result>,
) => Promise<Result>

/**
 * Thrown by work in a shared transaction that would have to wait, before it has written anything: it then runs alone.
 */
export class NeedsOwnTransaction extends Error {}

/** Rolls back a shared transaction; names the members that caused it. */
class GroupFailed extends Error {
  readonly members: ReadonlySet<Member>

  constructor(members: Member[]) {
    super('Work in a shared transaction failed.')
    this.members = new Set(members)
  }
}

interface Member {
  key: string
  since: number
  /** Runs with the request id of its caller. */
  work(change: Change): Promise<unknown>
  resolve(result: unknown): void
  reject(error: unknown): void
}

/** The waiting work of one account. */
interface Queue {
  waiting: Member[]
  /** The keys of running work, grouped or alone. */
  busy: Set<string>
  isGroupRunning: boolean
}

/** Creates the function that groups work into transactions made by `change`, with one queue per account. */
export function createGroupedChange(change: MakeChange): GroupedChange {
  const queues = new Map<string, Queue>()

  function startNext(account_id: string, queue: Queue) {
    if (queue.isGroupRunning) return
    rejectOverdue(queue)
    const members = nextGroup(queue)
    if (members.length === 0) {
      if (queue.busy.size === 0) queues.delete(account_id)
      return
    }
    queue.isGroupRunning = true
    const leave = ({ key }: Member) => {
      queue.busy.delete(key)
      if (!queue.isGroupRunning) startNext(account_id, queue)
    }
    void runGroup(change, members, leave).then(() => {
      queue.isGroupRunning = false
      startNext(account_id, queue)
    })
  }

  return (account_id, key, work) =>
    new Promise((resolve, reject) => {
      const inOwnContext = AsyncLocalStorage.snapshot()
      const queue = queues.get(account_id) ?? { waiting: [], busy: new Set(), isGroupRunning: false }
      queues.set(account_id, queue)
      queue.waiting.push({
        key,
        since: Date.now(),
        work: (tx) => inOwnContext(work, tx),
        resolve: resolve as Member['resolve'],
        reject,
      })
      startNext(account_id, queue)
    })
}

/** Refuses work that has waited too long; clients retry. */
function rejectOverdue(queue: Queue) {
  const oldest = Date.now() - WAIT_TIMEOUT_MS
  while (queue.waiting[0] && queue.waiting[0].since < oldest) {
    queue.waiting.shift()?.reject(new Refusal(503, 'The server is busy. Try again in a moment.', 'unavailable'))
  }
}

/** The next ones in order, at most one per key. */
function nextGroup({ waiting, busy }: Queue): Member[] {
  const group: Member[] = []
  const remaining: Member[] = []
  for (const member of waiting.splice(0)) {
    if (group.length === MAX_GROUP || busy.has(member.key)) remaining.push(member)
    else {
      busy.add(member.key)
      group.push(member)
    }
  }
  waiting.push(...remaining)
  // The same order everywhere, so that no two groups deadlock.
  return group.sort((a, b) => (a.key < b.key ? -1 : 1))
}

/**
 * Settles every member, or passes it to `leave`, which runs it in a transaction of its own without being awaited. Never
 * throws.
 */
async function runGroup(change: MakeChange, members: Member[], leave: (member: Member) => void): Promise<void> {
  const alone = (member: Member) =>
    void change(member.work)
      .then(member.resolve, member.reject)
      .then(() => leave(member))
  const [first] = members
  if (!first) return
  if (members.length === 1) {
    await change(first.work).then(first.resolve, first.reject)
    return leave(first)
  }
  try {
    const outcomes = await change((tx) => runTogether({ ...tx, isShared: true }, members))
    for (const [i, member] of members.entries()) {
      const outcome = outcomes[i]
      if (outcome?.status !== 'fulfilled') alone(member)
      else {
        member.resolve(outcome.value)
        leave(member)
      }
    }
  } catch (error) {
    if (!(error instanceof GroupFailed)) {
      // As with any failed commit, it may be unknown whether it was stored: clients retry with the same ids.
      for (const member of members) {
        member.reject(error)
        leave(member)
      }
      return
    }
    const { members: failed } = error
    for (const member of failed) alone(member)
    await runGroup(
      change,
      members.filter((member) => !failed.has(member)),
      leave,
    )
  }
}

async function runTogether(tx: Change, members: Member[]): Promise<PromiseSettledResult<unknown>[]> {
  // All have to settle before the transaction ends, including those after a failure.
  const outcomes = await Promise.allSettled(members.map((member) => runMember(tx, member)))
  const failed = members.filter((_, i) => {
    const outcome = outcomes[i]
    return outcome?.status === 'rejected' && !(outcome.reason instanceof NeedsOwnTransaction)
  })
  if (failed.length > 0) throw new GroupFailed(failed)
  return outcomes
}

/** Waits for all statements of a member, to know who failed. */
async function runMember(tx: Change, { work }: Member): Promise<unknown> {
  const pending = new Pending()
  const result = await work({ ...tx, pending: (statement) => pending.add(statement) })
  await pending.waitForAll()
  return result
}
