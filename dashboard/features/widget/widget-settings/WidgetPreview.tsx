import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { inkOn, readHex } from '../../../ui/color.ts'
import { PRIMARY_COLOR } from './form.ts'
import { sendToChat, writeFrameAddress } from './preview-frame.ts'
import styles from './WidgetPreview.module.css'

interface PreviewProps {
  /** Appearance under the chat window's own names. */
  appearance: Record<string, string | boolean>
  isFilled?: boolean
  account_id: string
  inbox_id?: string | undefined
  /** The origin of the chat window; this server by default. */
  base?: string
  /** Messages cannot be sent, because nobody would receive them. */
  isMute?: boolean
  /** Shows a sample conversation instead of an empty chat. */
  isSample?: boolean
  /** What is written in it is a test. */
  test_token?: string
  /** A change reloads the chat window. */
  refresh?: number
}

/** The real chat window with its button, initially open, updated with every change of the form. */
export function WidgetPreview({ appearance, isFilled = false, refresh = 0, ...target }: PreviewProps) {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(true)
  const color = readHex(String(appearance.primaryColor ?? '')) ?? PRIMARY_COLOR
  return (
    <div className={styles.preview}>
      <ChatFrame
        key={`${refresh} ${target.isSample}`}
        appearance={appearance}
        isOpen={isOpen}
        setOpen={setOpen}
        {...target}
      />
      <button
        type="button"
        className={styles.bubble}
        style={{ background: color, color: inkOn(color) }}
        data-filled={isFilled || undefined}
        aria-expanded={isOpen}
        aria-label={t(isOpen ? 'widget.close_preview' : 'widget.open_preview')}
        onClick={() => setOpen(!isOpen)}
      >
        <svg viewBox="0 0 24 24" aria-hidden="true">
          <path d={isOpen ? DOWN : SPEECH} />
        </svg>
      </button>
    </div>
  )
}

const SPEECH = 'M5.5 16.5a9 8 0 1 1 4 2.3l-5 1.7z'
const DOWN = 'M6 9.5l6 6 6-6'

interface FrameProps extends Omit<PreviewProps, 'isFilled' | 'refresh'> {
  isOpen: boolean
  setOpen: (isOpen: boolean) => void
}

function ChatFrame({ appearance, isOpen, setOpen, base = location.origin, isMute, ...target }: FrameProps) {
  const { t } = useTranslation()
  const frame = useRef<HTMLIFrameElement>(null)
  const [isLoaded, setLoaded] = useState(false)
  const [cardHeight, setCardHeight] = useState(0)
  // The first appearance is part of the address; later ones are sent as messages.
  const [address] = useState(() => writeFrameAddress({ base, ...target }, appearance))
  useEffect(() => {
    const receive = ({ source, origin, data }: MessageEvent) => {
      if (source !== frame.current?.contentWindow || origin !== base) return
      if (data?.event === 'chat:loaded') setLoaded(true)
      if (data?.event === 'papercups:close') setOpen(false)
      if (data?.event === 'papercups:open') setOpen(true)
      // The card with unseen messages, shown beside the button while the chat is closed.
      if (data?.event === 'parley:card') setCardHeight(Number(data.payload?.height) || 0)
      if (/^messages:(un)?seen$/.test(data?.event)) {
        const shouldDisplayNotifications = data.event === 'messages:unseen'
        sendToChat(frame.current, base, 'notifications:display', { shouldDisplayNotifications })
      }
    }
    addEventListener('message', receive)
    return () => removeEventListener('message', receive)
  }, [base, setOpen])
  useEffect(() => {
    if (isLoaded) sendToChat(frame.current, base, 'config:update', appearance)
  }, [isLoaded, base, appearance])
  useEffect(() => {
    if (isLoaded) sendToChat(frame.current, base, 'papercups:toggle', { isOpen })
  }, [isLoaded, base, isOpen])
  return (
    <div className={styles.panel} data-shown={isOpen ? 'chat' : cardHeight > 0 ? 'card' : 'nothing'}>
      <iframe
        ref={frame}
        title={t('widget.preview')}
        src={address}
        inert={isMute}
        style={isOpen || cardHeight === 0 ? undefined : { height: Math.min(cardHeight, 320) }}
      />
    </div>
  )
}
