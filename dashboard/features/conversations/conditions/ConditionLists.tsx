import { Fragment, type ReactNode } from 'react'
import { Button } from '../../../ui/Button.tsx'
import styles from './ConditionLists.module.css'
import { Joint } from './FieldLine.tsx'

interface ListsProps<Condition> {
  conditions: readonly Condition[][]
  onChange: (conditions: Condition[][]) => void
  texts: { and: string; or: string; addOr: string; add: string }
  /** What is added to a list of which one condition is enough, and what begins a further list. */
  added: { or: Condition; and: Condition }
  /** A condition with the word before it; undefined removes it. */
  children: (
    condition: Condition,
    joint: string | undefined,
    onChange: (condition: Condition | undefined) => void,
  ) => ReactNode
}

/** Lists of conditions that all must hold; in each of them one condition is enough. */
export function ConditionLists<Condition>({ conditions, onChange, texts, added, children }: ListsProps<Condition>) {
  const replace = (at: number, list: Condition[]) =>
    onChange(conditions.flatMap((other, index) => (index !== at ? [other] : list.length > 0 ? [list] : [])))
  return (
    <>
      {conditions.map((list, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: conditions have no other identity than their index.
        <div key={at} className={styles.list}>
          {at > 0 && <Joint>{texts.and}</Joint>}
          {list.map((condition, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: as above.
            <Fragment key={index}>
              {children(condition, index > 0 ? texts.or : undefined, (next) =>
                replace(
                  at,
                  list.flatMap((item, position) => (position === index ? (next ?? []) : item)),
                ),
              )}
            </Fragment>
          ))}
          <Button variant="text" size="small" onClick={() => replace(at, [...list, added.or])}>
            {texts.addOr}
          </Button>
        </div>
      ))}
      <Button size="small" onClick={() => onChange([...conditions, [added.and]])}>
        {texts.add}
      </Button>
    </>
  )
}
