import { childrenOf, isNode, memberOf, type Node, nameOf, textOf } from './nodes.ts'

/** Whether the code asks for the feature: at the use, in a condition around it, or before it in the same function. */
export function isGuarded(node: Node, ancestors: readonly Node[], name: string): boolean {
  const parent = ancestors.at(-1)
  if (!parent) return false
  if (parent.type === 'UnaryExpression' && parent.operator === 'typeof') return true
  if (parent.type === 'CallExpression' && parent.callee === node && parent.optional) return true
  if (parent.type === 'MemberExpression' && parent.object === node && parent.optional) return true
  if (parent.type === 'AssignmentExpression' && parent.left === node) return true
  const isCalled = parent.type === 'CallExpression' && parent.callee === node
  const path = [...ancestors, node]
  return path.some((around, at) => {
    const test = testOf(around)
    if (test && ((path[at + 1] === test && !isCalled) || mentions(test, name))) return true
    return /Function/.test(around.type) && isNode(around.body) && asks(around.body, name)
  })
}

function testOf(node: Node): Node | undefined {
  if (node.type === 'IfStatement' || node.type === 'ConditionalExpression') return node.test as Node
  return node.type === 'LogicalExpression' ? (node.left as Node) : undefined
}

/** Whether a function has a condition about the feature, without those of functions inside it. */
function asks(node: Node, name: string): boolean {
  const test = testOf(node)
  if (test && mentions(test, name)) return true
  return childrenOf(node).some((child) => !/Function/.test(child.type) && asks(child, name))
}

/** Whether a condition reads the feature without calling it, or names it in a text. */
function mentions(node: Node, name: string): boolean {
  if (nameOf(node) === name || textOf(node) === name) return true
  const isCalled = node.type === 'CallExpression' && isNode(node.callee) && node.callee.type === 'MemberExpression'
  return childrenOf(node).some(
    (child) => !(isCalled && child === node.callee && memberOf(child) === name) && mentions(child, name),
  )
}
