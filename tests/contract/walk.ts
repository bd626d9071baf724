import fc from 'fast-check'
import type { Answer, TestServer } from '../support/server.ts'
import { Callers, KINDS, type Kind } from './callers.ts'
import { ApiDocument, nounOf, type Operation } from './document.ts'
import { complaintAbout } from './judging.ts'
import { KnownIds } from './known-ids.ts'
import { examplePlan, insideRequests, outsideRequests, type Plan } from './requests.ts'
import { asCurl, prepare, type Sent, send } from './sending.ts'

/** Calls that may end the credentials of their caller, or of the agent. */
const ENDS_CALLERS = /session|password|api_key|users|accounts|two_factor/

/** Refusals of examples that no example could avoid: its ids, secrets, files and other systems are made up. */
const DEPENDS =
  /does not exist|do not exist|"reason":"(unreachable|language_model)"|unknown_state|Enter the \w+|is not connected|is not known here|is not a valid ZIP file|is not verified yet|could not be checked|are switched off|"(identity_token|code)":\["is invalid"/

export interface Fault {
  call: string
  complaint: string
  seed: number
  curl: string
  answer: string
}

/** Sends generated requests to a server and collects what contradicts its own document. */
export class Walk {
  readonly faults: Fault[] = []
  requests = 0
  /** The calls that were answered at least once. */
  readonly succeeded = new Set<string>()
  readonly #server: TestServer
  readonly #callers: Callers
  readonly #ids = new KnownIds()
  readonly #document: ApiDocument

  private constructor(server: TestServer, callers: Callers, document: ApiDocument) {
    this.#server = server
    this.#callers = callers
    this.#document = document
  }

  static async begin(server: TestServer): Promise<Walk> {
    const callers = new Callers(server)
    await callers.start()
    const { body } = await server.request('GET', '/api/openapi.json')
    return new Walk(server, callers, new ApiDocument(body))
  }

  get operations(): Operation[] {
    return this.#document.operations
  }

  /** Tries one call: inside its bounds and outside, as one kind of caller. */
  async tryCall(operation: Operation, kind: Kind, seed: number, runs: number): Promise<void> {
    const outside = outsideRequests(this.#document, operation)
    const inside = insideRequests(this.#document, operation)
    const plans = outside ? fc.oneof(inside, outside) : inside
    for (const plan of fc.sample(plans, { numRuns: runs, seed })) await this.#try(plan, kind, seed)
  }

  /** Creates a thing, then reads, changes, deletes and again reads it, as the person who created it. */
  async trySequence(creating: Operation, kind: Kind, seed: number): Promise<void> {
    const [plan] = fc.sample(insideRequests(this.#document, creating), { numRuns: 1, seed })
    const created = plan && (await this.#try(plan, kind, seed))
    const { id } = (created ?? {}) as { id?: unknown }
    if (id === undefined) return
    for (const method of ['GET', 'PUT', 'GET', 'DELETE', 'GET', 'PUT', 'DELETE']) {
      const next = this.operations.find((operation) => operation.method === method && isItemOf(creating, operation))
      const [step] = next ? fc.sample(insideRequests(this.#document, next), { numRuns: 1, seed }) : []
      if (step) await this.#try({ ...step, params: { id } }, kind, seed)
    }
  }

  /** Sends every example of the document: none may be refused for its form. */
  async tryExamples(): Promise<void> {
    for (const operation of this.operations) {
      const plan = examplePlan(operation)
      const sent = prepare(plan, this.#ids)
      const kind = operation.security.some((requirement) => 'session' in requirement) ? 'admin by session' : 'visitor'
      const answer = await this.#send(sent, kind)
      const complaint = complaintAbout(this.#document, sent, kind, answer)
      const isSigned = operation.security.length === 1 && Object.keys(operation.security[0] ?? {}).length === 0
      const isRefused =
        [400, 415, 422].includes(answer.status) && !isSigned && !DEPENDS.test(JSON.stringify(answer.body))
      if (complaint ?? isRefused) this.#record(sent, complaint ?? 'refuses the example', 0, kind, answer)
    }
  }

  async #try(plan: Plan, kind: Kind, seed: number): Promise<unknown> {
    const sent = prepare(plan, this.#ids)
    const answer = await this.#send(sent, kind)
    const complaint = complaintAbout(this.#document, sent, kind, answer)
    if (complaint) this.#record(sent, complaint, seed, kind, answer)
    return answer.status < 300 ? answer.body?.data : undefined
  }

  async #send(sent: Sent, kind: Kind): Promise<Answer> {
    const { operation } = sent
    const answer = await send(this.#server, sent, this.#callers.tokenOf(kind))
    this.requests++
    if (answer.status < 300) {
      this.succeeded.add(operation.id)
      this.#ids.learn(nounOf(operation), answer.body)
    }
    if (answer.status < 300 && operation.method !== 'GET' && ENDS_CALLERS.test(operation.path))
      await this.#callers.renew()
    return answer
  }

  #record(sent: Sent, complaint: string, seed: number, kind: Kind, { body }: Answer): void {
    const call = sent.operation.id
    if (this.faults.some((fault) => fault.call === call && fault.complaint === complaint)) return
    this.faults.push({ call, complaint, seed, curl: asCurl(sent, kind), answer: JSON.stringify(body).slice(0, 500) })
  }
}

function isItemOf({ path }: Operation, { path: item }: Operation): boolean {
  return item === `${path}/{id}`
}

/** A fault with what repeats it. */
export function describeFault({ call, complaint, seed, curl, answer }: Fault): string {
  return `${call} ${complaint}\n  seed ${seed}: ${curl}\n  answer: ${answer}`
}

interface Round {
  seed: number
  /** Counts the rounds of a run: in each, another kind of caller makes the call. */
  round: number
  /** Asked before each call. */
  hasEnded: () => boolean
}

/** Every call, by an admin and by one other kind of caller, and every sequence. */
export async function walkOnce(walk: Walk, { seed, round, hasEnded }: Round): Promise<void> {
  for (const [index, operation] of walk.operations.entries()) {
    if (hasEnded()) return
    const of = seed + 1000 * round + index
    const kind = KINDS[(index + round) % KINDS.length] as Kind
    const isCreating = operation.method === 'POST' && !operation.path.includes('{')
    if (isCreating && kind !== 'nobody') await walk.trySequence(operation, kind, of)
    await walk.tryCall(operation, 'admin by key', of, 1)
    await walk.tryCall(operation, kind, of, 1)
  }
}
