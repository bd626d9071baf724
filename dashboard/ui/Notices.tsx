import { type RefObject, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { Icon } from './Icon.tsx'
import { Keys } from './Keys.tsx'
import styles from './Notices.module.css'
import { dismiss, type Notice, onNotices, readNoticePosition, readNotices, runAction, secondsOf } from './notices.ts'

/** The corner where notices appear. Errors interrupt a screen reader, others wait. */
export function Notices({ label, closeLabel }: { label: string; closeLabel: string }) {
  const notices = useSyncExternalStore(onNotices, readNotices)
  const position = useSyncExternalStore(onNotices, readNoticePosition)
  return (
    // Notices stay readable and clickable while a dialog is open.
    <section
      className={styles.corner}
      data-placed={!!position || undefined}
      style={
        position &&
        ({
          '--left': `${position.left}px`,
          '--bottom': `${position.bottom}px`,
          '--room': `${position.width}px`,
        } as object)
      }
      aria-label={label}
      data-react-aria-top-layer="true"
    >
      {notices.map((notice) => (
        <NoticeCard key={notice.id} notice={notice} closeLabel={closeLabel} />
      ))}
    </section>
  )
}

const ICONS = { info: 'info', success: 'check', error: 'alert' } as const

export function NoticeCard({ notice, closeLabel }: { notice: Notice; closeLabel: string }) {
  const card = useRef<HTMLDivElement>(null)
  const held = useIsHovered(card)
  const seconds = secondsOf(notice)
  useEffect(() => {
    if (held || seconds === Number.POSITIVE_INFINITY) return
    const timer = setTimeout(() => dismiss(notice.id), seconds * 1000)
    return () => clearTimeout(timer)
  }, [held, seconds, notice.id])

  return (
    <div
      ref={card}
      className={styles.notice}
      data-kind={notice.kind}
      role={notice.kind === 'error' ? 'alert' : 'status'}
    >
      <Icon name={ICONS[notice.kind]} className={styles.icon} />
      <div className={styles.words}>
        <div className={styles.title}>{notice.title}</div>
        {notice.text && <div>{notice.text}</div>}
      </div>
      {notice.action && (
        <button type="button" className={styles.action} onClick={() => runAction(notice)}>
          {notice.action.label}
          {notice.action.keys && <Keys of={notice.action.keys} />}
        </button>
      )}
      <button type="button" className={styles.close} aria-label={closeLabel} onClick={() => dismiss(notice.id)}>
        <Icon name="close" size={16} />
      </button>
    </div>
  )
}

/** Whether the pointer or the keyboard focus is on it: then it does not disappear. */
function useIsHovered(card: RefObject<HTMLElement | null>): boolean {
  const [held, setHeld] = useState(false)
  useEffect(() => {
    const element = card.current
    const pause = () => setHeld(true)
    const release = () => setHeld(false)
    for (const event of ['pointerenter', 'focusin']) element?.addEventListener(event, pause)
    for (const event of ['pointerleave', 'focusout']) element?.addEventListener(event, release)
    return () => {
      for (const event of ['pointerenter', 'focusin']) element?.removeEventListener(event, pause)
      for (const event of ['pointerleave', 'focusout']) element?.removeEventListener(event, release)
    }
  }, [card])
  return held
}
