import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useTeam } from '../../accounts/accounts/account.ts'
import { sendToChat, writeFrameAddress } from '../../widget/widget-settings/preview-frame.ts'
import styles from './Functions.module.css'

const TITLE = { title: 'Test chat', subtitle: 'Ask us anything in the chat window below 😊' }

interface TestChatProps {
  test_token: string
  sent: (message_id: string) => void
}

/** The chat as visitors see it. Reports the id of each message sent. */
export function TestChat({ test_token, sent }: TestChatProps) {
  const { t } = useTranslation()
  const { account } = useTeam()
  const frame = useRef<HTMLIFrameElement>(null)
  const latest = useRef(sent)
  latest.current = sent
  const [address] = useState(() =>
    writeFrameAddress({ base: location.origin, account_id: account.id, test_token }, TITLE),
  )
  useEffect(() => {
    const receive = ({ source, origin, data }: MessageEvent) => {
      if (source !== frame.current?.contentWindow || origin !== location.origin) return
      if (data?.event === 'chat:loaded') sendToChat(frame.current, origin, 'papercups:toggle', { isOpen: true })
      if (data?.event === 'message:sent' && data.payload?.id) latest.current(String(data.payload.id))
    }
    addEventListener('message', receive)
    return () => removeEventListener('message', receive)
  }, [])
  return <iframe ref={frame} className={styles.chat} title={t('functions.chat')} src={address} />
}
