import { expect, test } from 'vitest'
import { defuse } from './defuse.ts'
import { scopeToFrame } from './frame-styles.ts'
import { createFrames } from './frames.ts'
import type { ReplayEvent } from './protocol.ts'

type Node = Record<string, unknown>
const element = (id: number, tagName: string, attributes: object = {}, ...childNodes: Node[]): Node => ({
  type: 2,
  id,
  rootId: id >= 20 ? 20 : undefined,
  tagName,
  attributes,
  childNodes,
})
const text = (id: number, textContent: string): Node => ({ type: 3, id, rootId: 20, textContent })
const html = (id: number, ...body: Node[]) =>
  element(id, 'html', {}, element(id + 1, 'head'), element(id + 2, 'body', {}, ...body))
const full = (...body: Node[]): ReplayEvent => ({
  type: 2,
  timestamp: 1,
  data: { node: { type: 0, id: 1, childNodes: [{ type: 1, id: 2, name: 'html' }, html(3, ...body)] } },
})
const change = (data: object): ReplayEvent => ({ type: 3, timestamp: 2, data: { ...data } })
const mutation = (more: object) => change({ source: 0, adds: [], removes: [], texts: [], attributes: [], ...more })
/** The page of frame 10, whose document is 20. */
const page = (id = 20, ...body: Node[]) => ({
  type: 0,
  id,
  childNodes: [{ type: 1, id: id + 1, rootId: id }, html(id + 2, ...body)],
})
const attach = (frame: number, node: object) =>
  mutation({ isAttachIframe: true, adds: [{ parentId: frame, nextId: null, node }] })

type Add = {
  parentId: number
  node: { id: number; tagName?: string; rootId?: number; isShadow?: boolean; childNodes?: [] }
}
/** Passes events to the replayer. */
function play(...events: ReplayEvent[]) {
  const { place } = createFrames((frame) => (frame === 10 ? { x: 100, y: 50 } : undefined))
  const placed = events.map((event) => place(defuse(event)))
  const last = placed.at(-1)![0]!.data
  const adds = ((last.adds ?? []) as Add[]).map(({ parentId, node }) => [parentId, node.id, !!node.isShadow])
  return { placed, last, adds }
}
const frame = () => element(10, 'iframe', { srcdoc: '<p>', src: 'https://shop.test/' }, text(11, 'no frames here'))

test('a frame becomes an element, without its fallback content', () => {
  const [[event] = []] = play(full(frame())).placed
  expect(JSON.stringify(event)).toContain('"tagName":"replayed-frame","attributes":{},"childNodes":[]')
})

test('a frame’s page is added to its shadow tree, parents before children', () => {
  const { last, adds } = play(
    full(frame()),
    attach(10, page(20, element(30, 'p', {}, text(31, 'Hello')), element(32, 'hr'))),
  )
  expect(adds).toEqual([
    [10, 22, true],
    [22, 23, false],
    [22, 24, false],
    [24, 30, false],
    [30, 31, false],
    [24, 32, false],
  ])
  for (const { node } of last.adds as Add[]) expect([node.rootId, node.childNodes ?? []]).toEqual([undefined, []])
})

test('a frame’s page in a full snapshot is displayed in its shadow tree', () => {
  const [[event] = []] = play(full(element(10, 'iframe', {}, page(20)))).placed
  expect(JSON.stringify(event)).toMatch(
    /"tagName":"replayed-frame",.*"childNodes":\[\{"type":2,"id":22,"tagName":"html".*"isShadow":true/,
  )
})

test('nested frames are displayed, and a page that arrives before its frame is displayed with it', () => {
  const inner = attach(30, page(40))
  const within = play(full(frame()), attach(10, page(20, element(30, 'iframe'))), inner)
  expect(within.adds[0]).toEqual([30, 42, true])
  const before = play(full(), attach(10, page()), mutation({ adds: [{ parentId: 5, nextId: null, node: frame() }] }))
  expect(before.adds.slice(0, 2)).toEqual([
    [5, 10, false],
    [10, 22, true],
  ])
})

test('a new or repeated page in a frame replaces the previous one', () => {
  for (const node of [page(40), page(20)]) {
    const { last } = play(full(frame()), attach(10, page()), attach(10, node))
    expect(last.removes).toEqual([{ parentId: 10, id: 22, isShadow: true }])
  }
})

test('changes of a frame’s document are applied to its shadow tree', () => {
  const before = () => [full(frame()), attach(10, page())]
  const removed = play(...before(), mutation({ removes: [{ parentId: 20, id: 22 }] }))
  expect(removed.last.removes).toEqual([{ parentId: 10, id: 22, isShadow: true }])
  const written = { type: 2, id: 60, rootId: 20, tagName: 'html', attributes: {}, childNodes: [] }
  const doctype = { type: 1, id: 61, rootId: 20 }
  const again = play(
    ...before(),
    mutation({
      adds: [
        { parentId: 20, nextId: null, node: doctype },
        { parentId: 20, nextId: null, node: written },
      ],
    }),
  )
  expect(again.adds).toEqual([[10, 60, true]])
  const later = play(...before(), mutation({ adds: [{ parentId: 24, nextId: null, node: element(62, 'p') }] }))
  expect((later.last.adds as Add[])[0]!.node.rootId).toBeUndefined()
})

test('a frame’s document scrolls as its html does, and takes its sheets as a shadow tree does', () => {
  const events = () => [full(frame()), attach(10, page())]
  expect(play(...events(), change({ source: 3, id: 20, x: 0, y: 30 })).last).toEqual({ source: 3, id: 22, x: 0, y: 30 })
  const styles = [{ styleId: 1, rules: [{ rule: ':root{height:100vh}', index: 0 }] }]
  expect(play(...events(), change({ source: 15, id: 20, styleIds: [1], styles })).last).toMatchObject({
    id: 10,
    styles: [{ rules: [{ rule: ':is(html,:root){height:100cqh}' }] }],
  })
  const scrolled = page()
  Object.assign(scrolled.childNodes[1]!, { attributes: { rr_scrollTop: 70 } })
  const [, , scroll] = play(full(frame()), change({}), attach(10, scrolled)).placed
  expect(scroll![1]!.data).toEqual({ source: 3, id: 22, x: 0, y: 70 })
})

test('the pointer in a frame counts from the frame’s corner', () => {
  const before = () => [full(frame(), element(12, 'p')), attach(10, page())]
  const moved = play(
    ...before(),
    change({
      source: 1,
      positions: [
        { x: 1, y: 2, id: 24 },
        { x: 1, y: 2, id: 12 },
      ],
    }),
  )
  expect(JSON.parse(JSON.stringify(moved.last.positions))).toEqual([
    { x: 101, y: 52, id: 24 },
    { x: 1, y: 2, id: 12 },
  ])
  const pressed = play(...before(), change({ source: 2, type: 2, id: 24, x: 1, y: 2 }))
  expect(JSON.parse(JSON.stringify(pressed.last))).toMatchObject({ x: 101, y: 52 })
})

test('a frame with another website’s page is marked until it has one of the same website', () => {
  const foreign = full(element(10, 'iframe', { rr_src: 'https://bank.test/' }))
  const [[event] = []] = play(foreign).placed
  expect(JSON.stringify(event)).toContain('"attributes":{"foreign":""}')
  const { last } = play(foreign, attach(10, page()))
  expect(last.attributes).toContainEqual({ id: 10, attributes: { foreign: null } })
})

test('styles of a frame are those of a page of its size; addresses and texts in them are left alone', () => {
  expect(scopeToFrame(':root,html:root{--a:1}')).toBe(':is(html,:root),html:is(html,:root){--a:1}')
  expect(scopeToFrame('a{width:50vw;height:calc(100dvh - 2px)}')).toBe('a{width:50cqw;height:calc(100cqh - 2px)}')
  expect(scopeToFrame('main > iframe.big,iframe{}iframe-like{}')).toBe(
    'main > replayed-frame.big,replayed-frame{}iframe-like{}',
  )
  expect(scopeToFrame('@media screen and (max-width:500px) and (min-height:1px) {a{}}')).toBe(
    '@container (max-width:500px) and (min-height:1px){a{}}',
  )
  const untouched = 'a{background:url(data:x;1vh);content:":root iframe"}@media print{b{}}@media (hover:none){i{}}'
  expect(scopeToFrame(untouched)).toBe(untouched)
})
