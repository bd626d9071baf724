import { useCallback, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { VisitedSession } from '#contract/widget/live-sessions.ts'
import type { ReplayEvent } from '../../replay-box/protocol.ts'
import { Banner } from '../../ui/Banner.tsx'
import { Button } from '../../ui/Button.tsx'
import { ThreadSkeleton } from '../../ui/Skeleton.tsx'
import styles from './LivePage.module.css'
import { usePageFiles } from './usePageFiles.ts'
import { useReplayBox } from './useReplayBox.ts'
import { type Presence, useWatch } from './useWatch.ts'

/** The height of the replay. */
const HEIGHT = 480
/** After this time a hint about possible causes is shown. */
const TIMEOUT_MS = 60_000
/** The rrweb type of custom events. */
const CUSTOM = 5

interface ReplayProps {
  account_id: string
  session: VisitedSession
}

/** What a visitor sees live and, if the account keeps it, what they saw in the last minute. */
export function Replay({ account_id, session }: ReplayProps) {
  const { t } = useTranslation()
  const frame = useRef<HTMLIFrameElement>(null)
  const { state, post, play } = useReplayBox(frame, usePageFiles())
  useEffect(() => post({ say: 'words', foreign: t('sessions.foreign_frame') }), [post, t])
  const [past, setPast] = useState<ReplayEvent[]>([])
  const [isPast, setIsPast] = useState(false)
  const [hasStopped, setStopped] = useState(false)
  const [notes, setNotes] = useState({ isHidden: false, isTooLarge: false })
  const show = useCallback(
    (events: ReplayEvent[]) => {
      for (const { type, data } of events) {
        if (type !== CUSTOM) continue
        if (data?.tag === 'parley:hidden') setNotes({ isHidden: data.payload === true, isTooLarge: false })
        if (data?.tag === 'parley:stopped') setStopped(true)
        if (data?.tag === 'parley:too-large') setNotes({ isHidden: false, isTooLarge: true })
      }
      post({ say: 'events', events })
    },
    [post],
  )
  const addPast = useCallback((events: ReplayEvent[]) => setPast((before) => [...before, ...events]), [])
  const { presence, restart } = useWatch(account_id, session.id, { show, addPast })
  function showPast() {
    setIsPast(true)
    play({ say: 'past', events: past })
  }
  function goLive() {
    setIsPast(false)
    setPast([])
    play({ say: 'live' })
    restart()
  }
  return (
    <>
      <Status presence={presence} hasStopped={hasStopped} />
      {notes.isHidden && <Banner>{t('sessions.hidden')}</Banner>}
      {notes.isTooLarge && <Banner tone="warning">{t('sessions.too_large')}</Banner>}
      {state.hasFault && <Banner tone="warning">{t('sessions.fault')}</Banner>}
      {isPast ? (
        <Banner action={<Button onClick={goLive}>{t('sessions.go_live')}</Button>}>
          {t(state.isFinished ? 'sessions.past_over' : 'sessions.past')}
        </Banner>
      ) : (
        past.length > 0 && (
          <div>
            <Button onClick={showPast}>{t('sessions.show_past')}</Button>
          </div>
        )
      )}
      <Stage size={state.size}>
        <iframe
          ref={frame}
          className={styles.frame}
          title={t('sessions.replay')}
          sandbox="allow-scripts"
          referrerPolicy="no-referrer"
          src="/replay.html"
        />
        {!state.isDrawn && <ReplayPlaceholder />}
      </Stage>
    </>
  )
}

function Status({ presence, hasStopped }: { presence: Presence; hasStopped: boolean }) {
  const { t } = useTranslation()
  if (presence === undefined) return <Banner>{t('sessions.connecting')}</Banner>
  if (!presence && hasStopped) return <Banner tone="warning">{t('sessions.stopped')}</Banner>
  if (!presence) return <Banner tone="danger">{t('sessions.disconnected')}</Banner>
  if (!presence.active) return <Banner tone="warning">{t('sessions.away')}</Banner>
  return <Banner tone="success">{t('sessions.active', { page: presence.pathname ?? '/' })}</Banner>
}

/** Shown until the whole page is rendered; after a while with possible causes. */
function ReplayPlaceholder() {
  const { t } = useTranslation()
  const [isLate, setLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), TIMEOUT_MS)
    return () => clearTimeout(timer)
  }, [])
  return (
    <div className={styles.waiting}>
      {isLate ? <p role="status">{t('sessions.slow')}</p> : <ThreadSkeleton label={t('sessions.loading')} />}
    </div>
  )
}

interface StageProps {
  size: { width: number; height: number } | undefined
  children: React.ReactNode
}

/** Scales a window of any size to the available room. */
function Stage({ size, children }: StageProps) {
  const stage = useRef<HTMLDivElement>(null)
  const [room, setRoom] = useState(0)
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => setRoom(entry?.contentRect.width ?? 0))
    if (stage.current) observer.observe(stage.current)
    return () => observer.disconnect()
  }, [])
  const { width, height } = size ?? { width: room, height: HEIGHT }
  const scale = Math.min(room / width, HEIGHT / height) || 1
  // On phones the height shrinks with the page.
  const shown = size && room < HEIGHT ? Math.min(HEIGHT, Math.ceil(height * scale)) : HEIGHT
  const style = { '--width': `${width}px`, '--height': `${height}px`, '--scale': scale } as React.CSSProperties
  return (
    <div ref={stage} className={styles.stage} style={{ ...style, height: shown }}>
      {children}
    </div>
  )
}
