import { createContext, type ReactNode, use } from 'react'
import { PartBoundary, Undrawn } from './PartBoundary.tsx'

/** What is shown instead of an item that cannot be drawn. A table has rows instead of entries of a list. */
export const UndrawnItem = createContext<ReactNode>(
  <li>
    <Undrawn />
  </li>,
)

interface EachProps<Item> {
  items: readonly Item[]
  /** Tells the items apart, as `key` of React does. */
  keyOf: (item: Item, at: number) => string | number
  /** Names an item in the console. */
  name: string
  /** Shown instead of an item that cannot be drawn; by default a sentence, in an entry of a list or a row of a table. */
  fallback?: (item: Item) => ReactNode
  /** Draws an item. It runs inside of the item's boundary, so that one that throws leaves the others. */
  children: (item: Item, at: number) => ReactNode
}

/** Draws the items of a list that the server has sent, each in a boundary of its own. */
export function Each<Item>({ items, keyOf, name, fallback, children }: EachProps<Item>) {
  const undrawn = use(UndrawnItem)
  return items.map((item, at) => {
    const key = keyOf(item, at)
    return (
      <PartBoundary key={key} name={`${name} ${key}`} shows={item} fallback={fallback ? fallback(item) : undrawn}>
        <Drawn draw={() => children(item, at)} />
      </PartBoundary>
    )
  })
}

/** What an item shows is made here, below its boundary. */
function Drawn({ draw }: { draw: () => ReactNode }) {
  return draw()
}
