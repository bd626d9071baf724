import postcss, { type AtRule, type ChildNode, type Container, type Declaration } from 'postcss'
import type { NewerStyleFeatures } from './newer-features.ts'
import type { Use } from './scripts.ts'

/** Every use of a newer feature in a style sheet that no `@supports` asks for, and that has no older value before it. */
export function unguardedStyles(css: string, newer: NewerStyleFeatures): Use[] {
  const uses: Use[] = []
  const report = (feature: string, name: string, node: ChildNode) => {
    if (!isSupportAsked(node, name)) uses.push({ feature, excerpt: `${node}`.slice(0, 160) })
  }
  const sheet = postcss.parse(css)
  sheet.walkDecls((declaration) => {
    for (const [feature, name] of declarationFeatures(declaration, newer)) report(feature, name, declaration)
  })
  sheet.walkRules((rule) => {
    for (const [, name = ''] of rule.selector.matchAll(/::?([a-z-]+)/g)) {
      // The pseudo-elements of one engine only spoil a rule for others where it has other selectors, too.
      const isOwn = name.startsWith('-') && rule.selectors.every((selector) => selector.includes(name))
      if (newer.selectors.has(name) && !isOwn) report(`:${name}`, name, rule)
    }
    if (rule.selector.includes('&')) report('nesting', '&', rule)
  })
  sheet.walkAtRules((rule) => {
    if (newer.atRules.has(rule.name)) report(`@${rule.name}`, rule.name, rule)
    if (rule.name !== 'media') return
    for (const [name] of rule.params.matchAll(/[a-z][a-z-]+/g))
      if (newer.media.has(name)) report(`@media ${name}`, name, rule)
  })
  return uses
}

function declarationFeatures(declaration: Declaration, newer: NewerStyleFeatures): [feature: string, name: string][] {
  const { prop, value } = declaration
  if (newer.properties.has(prop)) return hasPrefixed(declaration) ? [] : [[prop, prop]]
  const features: [string, string][] = []
  for (const [name] of value.matchAll(/[a-z][a-z-]*/g)) {
    if (newer.values.has(`${prop}: ${name}`)) features.push([`${prop}: ${name}`, name])
  }
  for (const [, name = ''] of value.matchAll(/([a-z][a-z-]*)\(/g)) {
    if (newer.functions.has(name)) features.push([`${name}()`, name])
  }
  return hasOlderValue(declaration) ? [] : features
}

/** Whether the rule also has the property with Safari's prefix. */
function hasPrefixed({ parent, prop }: Declaration): boolean {
  return !!parent?.some((other) => other.type === 'decl' && other.prop === `-webkit-${prop}`)
}

/**
 * Whether browsers that do not know the value use the one before it. They do not where it contains `var()`: then it is
 * parsed when the property is already decided.
 */
function hasOlderValue(declaration: Declaration): boolean {
  if (declaration.value.includes('var(') || declaration.prop.startsWith('--')) return false
  const siblings = declaration.parent?.nodes ?? []
  return siblings.some(
    (other, at) => at < siblings.indexOf(declaration) && other.type === 'decl' && other.prop === declaration.prop,
  )
}

function isSupportAsked(node: ChildNode, name: string): boolean {
  for (
    let around: Container | undefined = node.parent as Container | undefined;
    around;
    around = around.parent as Container | undefined
  ) {
    const { type, name: rule, params } = around as AtRule
    if (type === 'atrule' && rule === 'supports' && params.includes(name)) return true
  }
  return false
}
