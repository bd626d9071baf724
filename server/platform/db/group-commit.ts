import { AsyncLocalStorage } from 'node:async_hooks'
import { Refusal } from '../../errors.ts'
import type { Change, MakeChange } from './change.ts'

/** More would let the first of a group wait for too many others. */
const MOST = 32
/** As long as anybody waits for a connection to the database. */
const LONGEST_WAIT_MS = 10_000

/**
 * Runs work in a transaction that other work of the same account may share: what is asked while one transaction is under
 * way goes together in the next, so many pay for one commit. Nobody waits for company, and a caller who is alone has a
 * transaction alone. Work of one key never shares a transaction, and is done in the order in which it was asked.
 *
 * As with any change, the work may run again, so it touches nothing but the database. Where it fails, or where it steps
 * aside, the others are stored all the same.
 */
export type GroupedChange = <Result>(
  account_id: string,
  key: string,
  work: (change: Change) => Promise<Result>,
) => Promise<Result>

/** Thrown by work that shares a transaction and would have to wait, before it has written anything: it runs alone, then. */
export class StepsAside extends Error {}

/** A transaction that stores nothing, because of these members. */
class Spoilt extends Error {
  readonly members: ReadonlySet<Member>

  constructor(members: Member[]) {
    super('Work that shared a transaction failed.')
    this.members = new Set(members)
  }
}

interface Member {
  key: string
  since: number
  /** In the name of the request that asked. */
  work(change: Change): Promise<unknown>
  resolve(result: unknown): void
  reject(error: unknown): void
}

/** What is asked of one account. */
interface Queue {
  waiting: Member[]
  /** Of what is under way, in a group or alone. */
  busy: Set<string>
  isGroupRunning: boolean
}

/** What runs work in transactions made by `change`, with a queue of its own for each account. */
export function createGroupedChange(change: MakeChange): GroupedChange {
  const queues = new Map<string, Queue>()

  function startNext(account_id: string, queue: Queue) {
    if (queue.isGroupRunning) return
    refuseOverdue(queue)
    const members = takeGroup(queue)
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
        work: (open) => inOwnContext(work, open),
        resolve: resolve as Member['resolve'],
        reject,
      })
      startNext(account_id, queue)
    })
}

/** Those who have waited too long are told so; their clients ask again. */
function refuseOverdue(queue: Queue) {
  const oldest = Date.now() - LONGEST_WAIT_MS
  while (queue.waiting[0] && queue.waiting[0].since < oldest) {
    queue.waiting.shift()?.reject(new Refusal(503, 'The server is busy. Try again in a moment.', 'unavailable'))
  }
}

/** The next ones in their order, of each key the first. */
function takeGroup({ waiting, busy }: Queue): Member[] {
  const taken: Member[] = []
  const left: Member[] = []
  for (const member of waiting.splice(0)) {
    if (taken.length === MOST || busy.has(member.key)) left.push(member)
    else {
      busy.add(member.key)
      taken.push(member)
    }
  }
  waiting.push(...left)
  // In one order everywhere, so that no two groups wait for each other.
  return taken.sort((a, b) => (a.key < b.key ? -1 : 1))
}

/** Settles every member, or leaves it to a transaction of its own, which is not waited for. Never fails. */
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
    const outcomes = await change((open) => workTogether({ ...open, isShared: true }, members))
    for (const [i, member] of members.entries()) {
      const outcome = outcomes[i]
      if (outcome?.status !== 'fulfilled') alone(member)
      else {
        member.resolve(outcome.value)
        leave(member)
      }
    }
  } catch (error) {
    if (!(error instanceof Spoilt)) {
      // Whether it was stored may be unknown, as with any commit: clients ask again with the same ids.
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

async function workTogether(open: Change, members: Member[]): Promise<PromiseSettledResult<unknown>[]> {
  // All have to end before the transaction does, those behind a failure too.
  const outcomes = await Promise.allSettled(members.map(({ work }) => work(open)))
  const failed = members.filter((_, i) => {
    const outcome = outcomes[i]
    return outcome?.status === 'rejected' && !(outcome.reason instanceof StepsAside)
  })
  if (failed.length > 0) throw new Spoilt(failed)
  return outcomes
}
