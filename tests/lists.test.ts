import { globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseSync } from 'vite'
import { expect, test } from 'vitest'
import { childrenOf, isNode, memberOf, type Node, nameOf } from './browser-support/nodes.ts'

const root = resolve(import.meta.dirname, '..')

/** Lists that no item of a server can break, each with the reason. */
const OWN: Record<string, string> = {
  'dashboard/features/accounts/billing/OfferList.tsx: included': 'Our own texts.',
  'dashboard/features/accounts/teams/TeamDialog.tsx: members': 'Fields of one form.',
  'dashboard/features/connections/integrations/IntegrationPage.tsx: howItWorks': 'Our own texts.',
  'dashboard/features/conversations/messages/composer/ComposerMenu.tsx: options': 'Made beside it, as plain texts.',
  'dashboard/features/conversations/messages/composer/EmojiPicker.tsx: emoji': 'Our own emoji.',
  'dashboard/features/conversations/reporting/ChartCard.tsx: cells': 'Texts; the whole chart has a boundary.',
  'dashboard/features/conversations/reporting/ChartCard.tsx: columns': 'Our own texts.',
  'dashboard/features/conversations/reporting/ChartCard.tsx: rows': 'Texts; the whole chart has a boundary.',
  'dashboard/features/conversations/reporting/Charts.tsx: series': 'Two at most; the whole chart has a boundary.',
  'dashboard/features/conversations/reporting/Summary.tsx: figures': 'Our own figures; the summary has a boundary.',
  'dashboard/features/conversations/rules/ActionFields.tsx: actions': 'Fields of one form.',
  'dashboard/features/conversations/conditions/ConditionLists.tsx: conditions': 'Fields of one form.',
  'dashboard/features/conversations/conditions/ConditionLists.tsx: list': 'Fields of one form.',
  'dashboard/features/conversations/rules/RuleHistory.tsx: event': 'Parts of one entry, which has a boundary.',
  'dashboard/features/conversations/search/Marked.tsx: ranges': 'Parts of one excerpt, whose item has a boundary.',
  'dashboard/features/customers/customers/PageLink.tsx: shown': 'Parts of one text.',
  'dashboard/features/developers/assistants/AssistantsPage.tsx: scopes': 'Our own scopes.',
  'dashboard/features/developers/assistants/ConsentPage.tsx: scopes': 'Our own scopes.',
  'dashboard/features/developers/webhooks/WebhookDialog.tsx: group': 'Our own events.',
  'dashboard/features/help/settings/LegalBlock.tsx: links': 'Fields of one form.',
  'dashboard/features/mail/mails/Mails.tsx: parseLinks': 'Parts of one mail.',
  'dashboard/features/operations/moving-in/MovingInPage.tsx: ': 'Our own sentences.',
  'dashboard/features/operations/moving-in/MovingReportView.tsx: Object': 'Parts of one row, which has a boundary.',
  'dashboard/features/widget/bot-demo/BotChat.tsx: lines': 'A toy without other people.',
  'dashboard/features/widget/bot-demo/BotDemoPage.tsx: faqs': 'A toy without other people.',
  'dashboard/layout/IconBar.tsx: navigationFor': 'Our own pages.',
  'dashboard/layout/MoreDrawer.tsx: items': 'Our own pages.',
  'dashboard/layout/MoreDrawer.tsx: item': 'Our own pages.',
  'dashboard/layout/PhoneBar.tsx: atHand': 'Our own pages.',
  'dashboard/layout/SubNavigation.tsx: group': 'Our own pages.',
  'dashboard/layout/palette/ShortcutsDialog.tsx: keys': 'Our own keys.',
  'dashboard/routes.tsx: paths': 'Our own pages.',
  'dashboard/screens/inbox/list/ConversationList.tsx: conversations': 'A virtual list; its item has a boundary itself.',
  'widget/window/composer/Choices.tsx: choices': 'Texts, which were checked when they were read.',
  'widget/window/lazy/AskDetails.tsx: missing': 'Our own fields.',
  'widget/window/lazy/FileTray.tsx: files': 'The visitor’s own files.',
  'widget/window/thread/Attachments.tsx: files': 'Parts of one message, which has a boundary.',
}

/** Elements that show nothing but a text, where no other element may stand. */
const TEXTS_ONLY = ['option']

const BOUNDARIES = ['PartBoundary', 'Line']

function parse(file: string): Node {
  const { program, errors } = parseSync(file, readFileSync(resolve(root, file), 'utf8'))
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]!.message}`)
  return program as unknown as Node
}

function listNodes(node: Node): Node[] {
  return [node, ...childrenOf(node).flatMap(listNodes)]
}

/** What a function returns, without what functions inside it return. */
function listReturned({ body }: Node): Node[] {
  if (!isNode(body)) return []
  if (body.type !== 'BlockStatement') return [body]
  const within = (node: Node): Node[] =>
    /Function/.test(node.type)
      ? []
      : node.type === 'ReturnStatement' && isNode(node.argument)
        ? [node.argument]
        : childrenOf(node).flatMap(within)
  return within(body)
}

/** The elements that an expression may be: both sides of a condition. */
function elementsOf(node: Node): Node[] {
  if (node.type === 'JSXElement' || node.type === 'JSXFragment') return [node]
  if (!/^(Parenthesized|Conditional|Logical)Expression$/.test(node.type)) return []
  return [node.expression, node.consequent, node.alternate, node.left, node.right].filter(isNode).flatMap(elementsOf)
}

const tagOf = ({ openingElement }: Node) =>
  isNode(openingElement) && isNode(openingElement.name) ? (openingElement.name.name as string) : undefined

/** The name at which an expression begins: `entries` of `entries.slice(1)`, `useIt` of `useIt(…)`. */
function beginningOf(node: unknown): string {
  if (!isNode(node)) return ''
  return nameOf(node) ?? beginningOf(node.object ?? node.callee ?? node.expression ?? node.left)
}

/** The lists of a file whose items are elements without a boundary, by the name at which they begin. */
function listUnbounded(file: string): string[] {
  return listNodes(parse(file)).flatMap((node) => {
    if (node.type !== 'CallExpression' || !isNode(node.callee)) return []
    if (!['map', 'flatMap'].includes(memberOf(node.callee) ?? '')) return []
    const draw = (node.arguments as Node[])[0]
    if (!draw || !/Function/.test(draw.type)) return []
    const elements = listReturned(draw).flatMap(elementsOf)
    const isSafe = elements.every((element) => {
      const tags = listNodes(element).map((part) => tagOf(part) ?? '')
      return TEXTS_ONLY.includes(tags[0]!) || tags.some((tag) => BOUNDARIES.includes(tag))
    })
    const name = beginningOf(node.callee.object)
    return isSafe || /^[A-Z_]+$/.test(name) ? [] : [`${file}: ${name}`]
  })
}

test('an item of a list that cannot be drawn leaves the others: lists are drawn by Each, or have boundaries themselves', () => {
  const files = globSync('{dashboard,widget}/**/*.tsx', { cwd: root }).filter(
    (file) => !/^dashboard\/ui\/|^widget\/(demo-site|react)\/|\.test\./.test(file),
  )
  const unbounded = new Set(files.flatMap(listUnbounded))
  expect([...unbounded].sort()).toEqual(Object.keys(OWN).sort())
})
