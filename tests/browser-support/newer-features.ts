import bcd from '@mdn/browser-compat-data' with { type: 'json' }
import type { CompatStatement, Identifier, SimpleSupportStatement } from '@mdn/browser-compat-data/types'
import { MINIMUM_BROWSERS } from '#contract/browsers.ts'

const { chrome, firefox, safari } = MINIMUM_BROWSERS
const OLDEST = { chrome, firefox, safari, safari_ios: safari }

/** Whether one of the oldest browsers lacks a feature. Behind a flag or a prefix it does not count. */
function isNewer({ support }: CompatStatement): boolean {
  return Object.entries(OLDEST).some(([browser, version]) => {
    const statements = [support[browser as keyof typeof OLDEST] ?? []].flat()
    return !statements.some((statement) => wasAdded(statement, version))
  })
}

function wasAdded(statement: SimpleSupportStatement, version: string): boolean {
  const { version_added: added, version_removed: removed, flags, prefix, alternative_name: other } = statement
  if (!added || added === 'preview' || flags || prefix || other) return false
  return compareVersions(added, version) <= 0 && (!removed || compareVersions(removed, version) > 0)
}

function compareVersions(a: string, b: string): number {
  const [left, right] = [a, b].map((version) => version.replace('≤', '').split('.').map(Number))
  return left![0]! - right![0]! || (left![1] ?? 0) - (right![1] ?? 0)
}

function childrenOf(feature: Identifier | undefined): [name: string, child: Identifier][] {
  return Object.entries(feature ?? {}).filter(([name]) => name !== '__compat') as [string, Identifier][]
}

const isNewFeature = ({ __compat: compat }: Identifier) => !!compat && isNewer(compat)

/** Interfaces whose members are themselves global. */
const GLOBAL_SCOPES = ['Window', 'WorkerGlobalScope', 'EventTarget']

export interface NewerScriptFeatures {
  /** Global names, such as `Iterator`. */
  globals: Set<string>
  /** Members of a global name, such as `URL.canParse`. */
  statics: Set<string>
  /** Names of methods and fields of built-in objects that all of them are newer than the oldest browsers: `toSorted`. */
  members: Set<string>
  /** The same of the browser's objects: `checkVisibility`. Applications use many of these names for their own fields. */
  apiMembers: Set<string>
  /** Names of events that one of the oldest browsers does not send: `scrollend`. */
  events: Set<string>
  /** Attributes of HTML elements: `popover`. */
  attributes: Set<string>
}

/** Names, and whether all features of that name are newer. */
class Names {
  #names = new Map<string, boolean>()
  add(name: string, isNew: boolean) {
    this.#names.set(name, isNew && (this.#names.get(name) ?? true))
  }
  newer() {
    return new Set([...this.#names].flatMap(([name, isNew]) => (isNew ? [name] : [])))
  }
}

/** What scripts could use and one of the oldest browsers lacks. */
export function newerScriptFeatures(): NewerScriptFeatures {
  const globals = new Set<string>()
  const statics = new Set<string>()
  const [members, apiMembers, events] = [new Names(), new Names(), new Names()]

  const visit = (name: string, feature: Identifier, names: Names) => {
    const isNewInterface = isNewFeature(feature)
    if (isNewInterface) globals.add(name)
    for (const [key, member] of childrenOf(feature)) {
      if (key === name) continue
      const isNew = isNewInterface || isNewFeature(member)
      if (key.endsWith('_event')) events.add(key.slice(0, -'_event'.length), isNew)
      const own = key.replace(/_static$/, '')
      if (isNew) statics.add(`${name}.${own}`)
      if (isNew && GLOBAL_SCOPES.includes(name)) globals.add(own)
      // Objects of a newer interface come from its constructor, or from a newer member of an older one.
      if (!isNew) for (const each of [members, apiMembers]) each.add(own, false)
      else if (!key.endsWith('_static') && (names === members || (!isNewInterface && isStandard(member))))
        names.add(own, true)
    }
  }
  for (const [name, feature] of childrenOf(bcd.api)) visit(name, feature, apiMembers)
  for (const [name, feature] of childrenOf(bcd.javascript.builtins)) {
    visit(name, feature, members)
    if (name === 'Intl') for (const [inner, child] of childrenOf(feature)) visit(inner, child, members)
  }
  return {
    globals,
    statics,
    members: members.newer(),
    apiMembers: apiMembers.newer(),
    events: events.newer(),
    attributes: newerAttributes(),
  }
}

const isStandard = ({ __compat: compat }: Identifier) => !!compat?.status?.standard_track && !compat.status.experimental

function newerAttributes(): Set<string> {
  const attributes = new Names()
  const elements = childrenOf(bcd.html.elements).flatMap(([, element]) => childrenOf(element))
  for (const [name, attribute] of [...childrenOf(bcd.html.global_attributes), ...elements]) {
    attributes.add(name, isNewFeature(attribute))
  }
  return attributes.newer()
}

export interface NewerStyleFeatures {
  properties: Set<string>
  /** `property: keyword`. */
  values: Set<string>
  functions: Set<string>
  /** Names of pseudo-classes and pseudo-elements. */
  selectors: Set<string>
  atRules: Set<string>
  /** Features of media queries. */
  media: Set<string>
}

/** What styles could use and one of the oldest browsers lacks. */
export function newerStyleFeatures(): NewerStyleFeatures {
  const { properties, types, selectors, 'at-rules': atRules } = bcd.css
  const newerOf = (features: Identifier | undefined) =>
    new Set(childrenOf(features).flatMap(([name, feature]) => (isNewFeature(feature) ? [name] : [])))
  const values = childrenOf(properties).flatMap(([property, feature]) =>
    [...newerOf(feature)].map((value) => `${property}: ${value}`),
  )
  const deepTypes = (feature: Identifier): string[] =>
    childrenOf(feature).flatMap(([name, child]) => [...(isNewFeature(child) ? [name] : []), ...deepTypes(child)])
  return {
    properties: newerOf(properties),
    values: new Set(values),
    functions: new Set(deepTypes(types as Identifier)),
    selectors: newerOf(selectors),
    atRules: newerOf(atRules),
    media: newerOf(atRules?.media as Identifier),
  }
}
