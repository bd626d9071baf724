import { parseSync, Visitor } from 'vite'

/** A query or a join in the source. */
export interface Query {
  file: string
  /** The function that contains it. */
  within: string
  table: string
  /**
   * `account`: it begins with `ofAccount`, or a condition names the account. `across`: it says why it crosses accounts, with
   * `acrossAccounts`. A join is `account` if it joins within the account.
   */
  scope: 'account' | 'across' | 'none'
  /** Of `acrossAccounts`. */
  reason?: string
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
  const query = (call: Call, scope: Pick<Query, 'scope' | 'reason'>): Query => ({
    file,
    within:
      [...source.slice(0, call.callee.end).matchAll(/^(?:export )?(?:async )?(?:function|const) (\w+)/gm)].at(
        -1,
      )?.[1] ?? '',
    table: /^\(\s*\[?\s*'(\w+)/.exec(text(call))?.[1] ?? '?',
    ...scope,
  })
  return [...chains.values()].flatMap((chain) => {
    const conditions = chain.filter((call) => CONDITIONS.has(methodOf(call) ?? ''))
    const joins = chain.filter((call) => JOINS.has(methodOf(call) ?? ''))
    const isNamed = conditions.some((call) => namesAccount(text(call)))
    return [
      ...chain.slice(0, 1).map((first) => query(first, isNamed ? { scope: 'account' } : scopeOf(first, source))),
      ...joins.map((join) => query(join, { scope: namesAccount(text(join)) ? 'account' : 'none' })),
    ]
  })
}

/** What a query begins with: the call of a helper, or a variable that holds its result. */
function scopeOf({ callee, start }: Call, source: string): Pick<Query, 'scope' | 'reason'> {
  const object = callee.type === 'MemberExpression' ? source.slice(callee.object.start, callee.object.end) : ''
  const held = source
    .slice(0, start)
    .matchAll(new RegExp(`const ${object.replace(/\W/g, '.')} = (\\w+Accounts?\\([^\\n]*)`, 'g'))
  const root = /^\w+$/.test(object) ? ([...held].at(-1)?.[1] ?? '') : object
  if (root.startsWith('ofAccount(')) return { scope: 'account' }
  const across = /^acrossAccounts\(\s*[\w.]+,\s*'([^']*)',?\s*\)/.exec(root)
  return across ? { scope: 'across', reason: across[1] } : { scope: 'none' }
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
