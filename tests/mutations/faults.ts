import { parseSync, Visitor } from 'vite'

/** A small fault to plant: a range of a file is replaced. */
export interface Fault {
  file: string
  kind: string
  start: number
  end: number
  replacement: string
}

type Visitors = NonNullable<ConstructorParameters<typeof Visitor>[0]>
type Of<Name extends keyof Visitors> = Parameters<NonNullable<Visitors[Name]>>[0]
type Expression = Of<'CallExpression'>['callee']

/** Calls that narrow a query. */
const NARROWING = new Set(['where', 'whereRef', 'having', 'havingRef', 'on', 'onRef'])

const COMPARISONS: Record<string, string> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
}
const SQL_COMPARISONS: Record<string, string> = {
  '=': '!=',
  '!=': '=',
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  is: 'is not',
  'is not': 'is',
  in: 'not in',
  'not in': 'in',
}
/** Keywords of a raw query that decide which rows it affects. */
const SQL_WORDS: [RegExp, string][] = [
  [/\band\b/gi, 'or'],
  [/\bor\b/gi, 'and'],
  [/\bis null\b/gi, 'is not null'],
  [/\bis not null\b/gi, 'is null'],
  [/\bnot exists\b/gi, 'exists'],
]

/** Every fault that can be planted in a file, by line. */
export function findFaults(file: string, source: string): Fault[] {
  const { program, errors } = parseSync(file, source)
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`)
  const faults: Fault[] = []
  const types: { start: number; end: number }[] = []
  const text = ({ start, end }: { start: number; end: number }) => source.slice(start, end)
  const add = (kind: string, { start, end }: { start: number; end: number }, replacement: string) => {
    faults.push({ file, kind, start, end, replacement })
  }
  const invert = (test: Expression) => add('condition turned round', test, `!(${text(test)})`)

  new Visitor({
    IfStatement: ({ test }) => invert(test),
    ConditionalExpression: ({ test }) => invert(test),
    BinaryExpression(node) {
      const other = COMPARISONS[node.operator]
      if (other) add('comparison changed', node, `${text(node.left)} ${other} ${text(node.right)}`)
    },
    LogicalExpression(node) {
      if (node.operator === '??') return add('fallback left out', node, text(node.left))
      const other = node.operator === '&&' ? '||' : '&&'
      // In parentheses, because the operators must not be mixed.
      add('condition joined otherwise', node, `((${text(node.left)}) ${other} (${text(node.right)}))`)
    },
    ExpressionStatement(node) {
      const { expression } = node
      const call = expression.type === 'AwaitExpression' ? expression.argument : expression
      if (call.type !== 'CallExpression') return
      add(methodOf(call.callee) === 'announce' ? 'announcement dropped' : 'call left out', node, ';')
    },
    CallExpression(node) {
      const { callee, arguments: args } = node
      if (callee.type !== 'MemberExpression' || !NARROWING.has(methodOf(callee) ?? '')) return
      add('narrowing left out', { start: callee.object.end, end: node.end }, '')
      const operator = args[1]
      if (operator?.type !== 'Literal' || typeof operator.value !== 'string') return
      const other = SQL_COMPARISONS[operator.value]
      if (other) add('comparison changed', operator, `'${other}'`)
    },
    TSLiteralType: (node) => void types.push(node),
    Literal(node) {
      if (typeof node.value === 'boolean') add('yes and no exchanged', node, String(!node.value))
    },
    TaggedTemplateExpression({ tag, quasi }) {
      if (tag.type !== 'Identifier' || tag.name !== 'sql') return
      for (const { start, end } of quasi.quasis) {
        for (const [word, other] of SQL_WORDS)
          for (const match of source.slice(start, end).matchAll(word)) {
            const at = start + match.index
            add('query changed', { start: at, end: at + match[0].length }, other)
          }
      }
    },
  }).visit(program)
  const isType = (fault: Fault) => types.some(({ start, end }) => start <= fault.start && fault.end <= end)
  return faults.filter((fault) => !isType(fault)).sort((a, b) => a.start - b.start)
}

function methodOf(callee: Expression): string | undefined {
  if (callee.type !== 'MemberExpression' || callee.computed || callee.property.type !== 'Identifier') return undefined
  return callee.property.name
}

/** The source with the fault in it. */
export function plant(source: string, { start, end, replacement }: Fault): string {
  return source.slice(0, start) + replacement + source.slice(end)
}

/** The lines that a fault changes, before and after, and the number of the first. */
export function describeFault(source: string, fault: Fault): { line: number; was: string; becomes: string } {
  const from = source.lastIndexOf('\n', fault.start) + 1
  const next = source.indexOf('\n', fault.end)
  const to = next < 0 ? source.length : next
  const squeeze = (text: string) => text.replace(/\s+/g, ' ').trim()
  return {
    line: source.slice(0, fault.start).split('\n').length + (/^\s*\n/.test(source.slice(fault.start)) ? 1 : 0),
    was: squeeze(source.slice(from, to)),
    becomes: squeeze(source.slice(from, fault.start) + fault.replacement + source.slice(fault.end, to)),
  }
}
