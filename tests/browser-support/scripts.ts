import { parseSync } from 'vite'
import { isGuarded } from './guards.ts'
import type { NewerScriptFeatures } from './newer-features.ts'
import { childrenOf, isNode, memberOf, type Node, nameOf, textOf } from './nodes.ts'

export interface Use {
  /** Such as `URL.canParse`, `.toSorted` or `scrollend event`. */
  feature: string
  /** The code around it. */
  excerpt: string
}

const isGlobalObject = (node: unknown) => ['window', 'globalThis', 'self'].includes(nameOf(node) ?? '')

/** What an application defines itself, in any of its scripts. */
interface Defined {
  /** Features that it fills in where they are missing, by a call with an object and their name. */
  filled: Set<string>
  /** Names of fields and methods of its own objects. */
  fields: Set<string>
}

/** Uses of newer features in the scripts of an application, that it does not fill in itself. */
export function findUses(scripts: string[], newer: NewerScriptFeatures): (Use & { isGuarded: boolean })[] {
  const parsed = scripts.map((code) => ({ code, program: parse(code) }))
  const defined: Defined = { filled: new Set(), fields: new Set() }
  for (const { program } of parsed) collectDefined(program, defined)
  const asked = { ...newer, apiMembers: newer.apiMembers.difference(defined.fields) }
  return parsed.flatMap(({ code, program }) => usesIn(program, code, asked, defined.filled))
}

function collectDefined(program: Node, { filled, fields }: Defined): void {
  walk(program, (node) => {
    const field = fieldOf(node)
    if (field) fields.add(field)
    if (node.type !== 'CallExpression') return
    const [target, name] = node.arguments as Node[]
    if (target && textOf(name) && isBuiltIn(target)) filled.add(textOf(name)!)
  })
}

function fieldOf(node: Node): string | undefined {
  const { type, key, left } = node
  if (['Property', 'MethodDefinition', 'PropertyDefinition'].includes(type)) return nameOf(key) ?? textOf(key)
  if (type === 'AssignmentExpression' && isNode(left) && left.type === 'MemberExpression') return memberOf(left)
  return undefined
}

/** `Array.prototype`, or a constructor itself. */
const isBuiltIn = (node: Node) =>
  node.type === 'MemberExpression' ? memberOf(node) === 'prototype' : /^[A-Z]\w+$/.test(nameOf(node) ?? '')

function usesIn(program: Node, code: string, newer: NewerScriptFeatures, filled: Set<string>) {
  const uses: (Use & { isGuarded: boolean })[] = []
  const own = declaredNames(program)
  walk(program, (node, ancestors) => {
    const feature = featureOf(node, ancestors.at(-1), newer)
    if (!feature || own.has(feature.label) || filled.has(feature.name)) return
    const excerpt = code.slice(Math.max(0, node.start - 60), node.end + 40).replace(/\s+/g, ' ')
    uses.push({ feature: feature.label, excerpt, isGuarded: isGuarded(node, ancestors, feature.name) })
  })
  return uses
}

/** Variables and functions of the script itself: short names of minified code may be those of newer globals. */
function declaredNames(program: Node): Set<string> {
  const names = new Set<string>()
  walk(program, ({ type, id }) => {
    const name = nameOf(id)
    if (name && /^(VariableDeclarator|Function|Class)/.test(type)) names.add(name)
  })
  return names
}

function walk(node: Node, visit: (node: Node, ancestors: readonly Node[]) => void, ancestors: Node[] = []): void {
  visit(node, ancestors)
  ancestors.push(node)
  for (const child of childrenOf(node)) walk(child, visit, ancestors)
  ancestors.pop()
}

function parse(code: string): Node {
  const { program, errors } = parseSync('shipped.js', code)
  if (errors.length > 0) throw new Error(errors[0]!.message)
  return program as unknown as Node
}

function featureOf(node: Node, parent: Node | undefined, newer: NewerScriptFeatures) {
  if (node.type === 'MemberExpression') return memberFeature(node, newer)
  if (node.type === 'Identifier') return globalFeature(node, parent, newer)
  if (node.type === 'CallExpression') return eventFeature(node, newer) ?? attributeFeature(node, newer)
  if (node.type === 'Literal' && isNode(node.regex) === false && node.regex) return flagFeature(node)
  return undefined
}

/** Methods that iterators have as well, and what returns an iterator. */
const ITERATED = ['map', 'filter', 'take', 'drop', 'flatMap', 'reduce', 'toArray', 'forEach', 'some', 'every', 'find']
const ITERATORS = ['values', 'keys', 'entries', 'matchAll']

function memberFeature(node: Node, newer: NewerScriptFeatures) {
  const name = memberOf(node)
  if (!name) return undefined
  if (ITERATED.includes(name) && isIterator(node.object)) return { name, label: `Iterator.prototype.${name}` }
  const owner =
    nameOf(node.object) ??
    (isNode(node.object) && isGlobalObject(node.object.object) ? memberOf(node.object) : undefined)
  if (owner && newer.statics.has(`${owner}.${name}`)) return { name, label: `${owner}.${name}` }
  if (isGlobalObject(node.object) && newer.globals.has(name)) return { name, label: name }
  return newer.members.has(name) || newer.apiMembers.has(name) ? { name, label: `.${name}` } : undefined
}

/** `map.values()`, but not `Object.values(map)`. */
function isIterator(node: unknown): boolean {
  if (!isNode(node) || node.type !== 'CallExpression') return false
  const { callee, arguments: args } = node
  if (!isNode(callee) || callee.type !== 'MemberExpression') return false
  const name = memberOf(callee) ?? ''
  return ITERATORS.includes(name) && (name === 'matchAll' || (args as Node[]).length === 0)
}

function globalFeature(node: Node, parent: Node | undefined, newer: NewerScriptFeatures) {
  const name = nameOf(node)!
  if (!newer.globals.has(name) || !parent) return undefined
  if (parent.type === 'MemberExpression' && parent.property === node && !parent.computed) return undefined
  if (['Property', 'MethodDefinition', 'PropertyDefinition'].includes(parent.type) && parent.key === node)
    return undefined
  return { name, label: name }
}

function eventFeature(node: Node, newer: NewerScriptFeatures) {
  const { callee } = node
  if (!isNode(callee)) return undefined
  const called = callee.type === 'MemberExpression' ? memberOf(callee) : nameOf(callee)
  const [name] = (node.arguments as Node[]).map(textOf)
  return called === 'addEventListener' && name && newer.events.has(name) ? { name, label: `${name} event` } : undefined
}

/** Attributes of elements that JSX creates. */
function attributeFeature(node: Node, newer: NewerScriptFeatures) {
  const [tag, attributes] = node.arguments as Node[]
  if (!textOf(tag) || attributes?.type !== 'ObjectExpression') return undefined
  const names = (attributes.properties as Node[]).map(({ key }) => nameOf(key) ?? textOf(key))
  const name = names.find((name) => name && newer.attributes.has(name.toLowerCase()))
  return name ? { name, label: `${name} attribute` } : undefined
}

function flagFeature({ regex }: Node) {
  const { flags, pattern } = regex as { flags: string; pattern: string }
  if (flags.includes('v')) return { name: 'unicodeSets', label: 'flag v of regular expressions' }
  if (/\(\?[ims]*-?[ims]+:/.test(pattern)) return { name: 'modifiers', label: 'modifiers in regular expressions' }
  return undefined
}
