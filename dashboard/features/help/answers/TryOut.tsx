import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { TriedAnswer } from '#contract/help/first-answers.ts'
import { plainText } from '#contract/text/plain.ts'
import { showError } from '../../../platform/http/errors.ts'
import { Button } from '../../../ui/Button.tsx'
import { Pill } from '../../../ui/Pill.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import styles from './Answers.module.css'
import { ArticlesUsed } from './ArticlesUsed.tsx'
import { tryQuestion } from './queries.ts'

/** What the assistant would answer to a question, with the articles that it would name. */
export function TryOut({ inbox_id }: { inbox_id: string }) {
  const { t } = useTranslation()
  const [question, setQuestion] = useState('')
  const [isTrying, setTrying] = useState(false)
  const [tried, setTried] = useState<TriedAnswer>()
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (!question.trim() || isTrying) return
    setTrying(true)
    try {
      setTried(await tryQuestion(inbox_id, question.trim()))
    } catch (error) {
      showError(t('first_answers.not_tried'), error)
    }
    setTrying(false)
  }
  return (
    <form className={styles.form} onSubmit={submit}>
      <TextField label={t('first_answers.question')} value={question} onChange={setQuestion} maxLength={1000} />
      <div>
        <Button type="submit" loading={isTrying} disabled={!question.trim()}>
          {t('first_answers.ask')}
        </Button>
      </div>
      <div role="status">{tried && <Tried tried={tried} />}</div>
    </form>
  )
}

function Tried({ tried: { kind, reason, answer, articles } }: { tried: TriedAnswer }) {
  const { t } = useTranslation()
  return (
    <div className={styles.tried}>
      <div>
        <Pill tone={kind === 'answer' ? 'success' : 'neutral'}>{t(`first_answers.kinds.${kind}`)}</Pill>
        {reason && <span className={styles.quiet}>{t(`first_answers.reasons.${reason}`)}</span>}
      </div>
      {answer && (
        <p dir="auto" className={styles.answer}>
          {plainText({ body: answer, customer_id: null })}
        </p>
      )}
      <ArticlesUsed articles={articles} />
    </div>
  )
}
