import { parseSync, Visitor } from 'vite'

/** A query or a join in the source. */
export interface Query {
  file: string
  /** The function that contains it. */
  within: string
  table: string
  /** Whether the query itself names its account. */
  namesAccount: boolean
}

type Visitors = NonNullable<ConstructorParameters<typeof Visitor>[0]>
type Call = Parameters<NonNullable<Visitors['CallExpression']>>[0]

const BEGINNINGS = new Set(['selectFrom', 'updateTable', 'deleteFrom'])
const JOINS = new Set(['innerJoin', 'leftJoin', 'rightJoin', 'fullJoin'])
const CONDITIONS = new Set(['where', 'whereRef'])

/** The queries of a file that are written with kysely. */
export function readQueries(file: string, source: string): Query[] {
  // The longest chain of calls at each start position.
  const chains = new Map<number, Call[]>()
  const { program } = parseSync(file, source)
  new Visitor({
    CallExpression(node) {
      const chain = chainOf(node)
      const first = chain[0]
      if (!first || !BEGINNINGS.has(methodOf(first) ?? '')) return
      if ((chains.get(first.start)?.length ?? 0) < chain.length) chains.set(first.start, chain)
    },
  }).visit(program)

  const text = (call: Call) => source.slice(call.callee.end, call.end)
  const query = (call: Call, namesAccount: boolean): Query => ({
    file,
    within:
      [...source.slice(0, call.callee.end).matchAll(/^(?:export )?(?:async )?(?:function|const) (\w+)/gm)].at(
        -1,
      )?.[1] ?? '',
    table: /^\(\s*\[?\s*'(\w+)/.exec(text(call))?.[1] ?? '?',
    namesAccount,
  })
  return [...chains.values()].flatMap((chain) => {
    const conditions = chain.filter((call) => CONDITIONS.has(methodOf(call) ?? ''))
    const joins = chain.filter((call) => JOINS.has(methodOf(call) ?? ''))
    return [
      ...chain.slice(0, 1).map((first) =>
        query(
          first,
          conditions.some((call) => namesAccount(text(call))),
        ),
      ),
      ...joins.map((join) => query(join, namesAccount(text(join)))),
    ]
  })
}

/** Ignores what a subquery of the condition contains, and that the row's account must not be suspended, whichever it is. */
const namesAccount = (text: string) =>
  /account_id'|\{ ?account_id|account_id = /.test(text.split(/selectFrom|isServed/)[0] ?? '')

/** The calls of `a.b().c()` from the first on. */
function chainOf(last: Call): Call[] {
  const chain: Call[] = []
  let call: Call | undefined = last
  while (call) {
    chain.unshift(call)
    if (BEGINNINGS.has(methodOf(call) ?? '')) break
    const { callee }: Call = call
    const object: { type: string } | undefined = callee.type === 'MemberExpression' ? callee.object : undefined
    call = object?.type === 'CallExpression' ? (object as Call) : undefined
  }
  return chain
}

function methodOf({ callee }: Call): string | undefined {
  return callee.type === 'MemberExpression' && callee.property.type === 'Identifier' ? callee.property.name : undefined
}
