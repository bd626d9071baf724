/** A node of the syntax tree, of which only what is asked here is typed. */
export interface Node {
  type: string
  start: number
  end: number
  [key: string]: unknown
}

export const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'

export const childrenOf = (node: Node): Node[] => Object.values(node).flat().filter(isNode)

export const nameOf = (node: unknown): string | undefined =>
  isNode(node) && node.type === 'Identifier' ? (node.name as string) : undefined

export const textOf = (node: unknown): string | undefined =>
  isNode(node) && node.type === 'Literal' && typeof node.value === 'string' ? node.value : undefined

/** The name of the member that an expression reads: `toSorted` of `list.toSorted` and of `list["toSorted"]`. */
export const memberOf = ({ property, computed }: Node): string | undefined =>
  computed ? textOf(property) : nameOf(property)
