import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { MAX_SAMPLE_TITLE } from '#contract/help/public-articles.ts'
import { errorText } from '../../../platform/http/errors.ts'
import { newId } from '../../../platform/new-id.ts'
import { Button } from '../../../ui/Button.tsx'
import { FormError } from '../../../ui/FormError.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import { findAnswer } from './answering.ts'
import styles from './BotDemo.module.css'
import type { Faq } from './faqs.ts'

interface Line {
  id: string
  by: 'you' | 'bot'
  text: string
  /** The title of the article that the text is of. */
  article?: string | undefined
}

/** A chat with the bot. */
export function BotChat({ faqs }: { faqs: readonly Faq[] }) {
  const { t } = useTranslation()
  const [lines, setLines] = useState<Line[]>([])
  const [text, setText] = useState('')
  const asking = useMutation({
    mutationFn: (question: string) => findAnswer(faqs, question),
    onSuccess: (match, question) => {
      const answer = { text: match?.answer ?? t('bot_demo.unknown'), article: match?.question }
      setLines((previous) => [
        ...previous,
        { id: newId(), by: 'you', text: question },
        { id: newId(), by: 'bot', ...answer },
      ])
      setText('')
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (text.trim() && !asking.isPending) asking.mutate(text.trim())
  }
  return (
    <section className={styles.chat} aria-label={t('bot_demo.try')}>
      <h2 className={styles.heading}>{t('bot_demo.try')}</h2>
      <div className={styles.log} role="log" aria-label={t('bot_demo.log')}>
        <p data-by="bot">{t('bot_demo.greeting')}</p>
        {lines.map(({ id, by, text, article }) => (
          <p key={id} data-by={by} dir="auto">
            {text}
            {article && <small>{t('bot_demo.from_article', { title: article })}</small>}
          </p>
        ))}
      </div>
      <FormError text={asking.error ? errorText(asking.error) : undefined} />
      <form className={styles.ask} onSubmit={submit}>
        <TextField
          hideLabel
          label={t('bot_demo.your_question')}
          placeholder={t('bot_demo.your_question')}
          dir="auto"
          maxLength={MAX_SAMPLE_TITLE}
          value={text}
          onChange={setText}
        />
        <Button type="submit" loading={asking.isPending}>
          {t('bot_demo.send')}
        </Button>
      </form>
    </section>
  )
}
