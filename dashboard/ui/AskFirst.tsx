import { Popconfirm } from 'antd'
import { type ReactNode, useRef } from 'react'
import styles from './AskFirst.module.css'

interface AskProps {
  question: string
  yes: string
  no: string
  /** What is done after Yes. */
  run: () => Promise<void>
  /** The button that starts it. */
  children: ReactNode
}

/** Asks with Yes and No before something is done that cannot be undone. Keys find the answers, and the way back. */
export function AskFirst({ question, yes, no, run, children }: AskProps) {
  const place = useRef<HTMLSpanElement>(null)
  return (
    <Popconfirm
      title={<span className={styles.question}>{question}</span>}
      classNames={{ root: styles.ask }}
      okText={yes}
      cancelText={no}
      cancelButtonProps={{ autoFocus: true }}
      destroyOnHidden
      // Inside the page, where screen readers look for it.
      getPopupContainer={(button) => button.closest('main') ?? document.body}
      onOpenChange={(isOpen) => isOpen || place.current?.querySelector('button')?.focus()}
      onConfirm={run}
    >
      <span ref={place}>{children}</span>
    </Popconfirm>
  )
}
