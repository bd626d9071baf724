import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { newId } from '../../../platform/new-id.ts'
import { Button } from '../../../ui/Button.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import { findAnswer } from './answering.ts'
import styles from './BotDemo.module.css'
import type { Faq } from './faqs.ts'

interface Line {
  id: string
  by: 'you' | 'bot'
  text: string
}

/** A chat with the bot. */
export function BotChat({ faqs }: { faqs: readonly Faq[] }) {
  const { t } = useTranslation()
  const [lines, setLines] = useState<Line[]>([])
  const [text, setText] = useState('')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!text.trim()) return
    const answer = findAnswer(faqs, text)?.answer ?? t('bot_demo.unknown')
    const question: Line = { id: newId(), by: 'you', text: text.trim() }
    setLines((known) => [...known, question, { id: newId(), by: 'bot', text: answer }])
    setText('')
  }
  return (
    <section className={styles.chat} aria-label={t('bot_demo.try')}>
      <h2 className={styles.heading}>{t('bot_demo.try')}</h2>
      <div className={styles.log} role="log" aria-label={t('bot_demo.log')}>
        <p data-by="bot">{t('bot_demo.greeting')}</p>
        {lines.map((line) => (
          <p key={line.id} data-by={line.by} dir="auto">
            {line.text}
          </p>
        ))}
      </div>
      <form className={styles.ask} onSubmit={submit}>
        <TextField
          hideLabel
          label={t('bot_demo.your_question')}
          placeholder={t('bot_demo.your_question')}
          dir="auto"
          value={text}
          onChange={setText}
        />
        <Button type="submit">{t('bot_demo.send')}</Button>
      </form>
    </section>
  )
}
