import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { MAX_SAMPLE_ARTICLES, MAX_SAMPLE_TEXT, MAX_SAMPLE_TITLE } from '#contract/help/public-articles.ts'
import { Button } from '../../../ui/Button.tsx'
import { notify } from '../../../ui/notices.ts'
import { TextArea } from '../../../ui/TextArea.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import demo from '../demo/DemoPage.module.css'
import { type Faq, isComplete } from './faqs.ts'

interface TeachFormProps {
  /** How many pairs there are. */
  count: number
  add: (pair: Omit<Faq, 'id'>) => void
}

/** Adds a question and answer pair. */
export function TeachForm({ count, add }: TeachFormProps) {
  const { t } = useTranslation()
  const [question, setQuestion] = useState('')
  const [answer, setAnswer] = useState('')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const fail = (text: string) => notify({ kind: 'error', key: 'training', title: t('bot_demo.failed'), text })
    if (!isComplete({ question, answer })) return fail(t('bot_demo.failed_text'))
    if (count >= MAX_SAMPLE_ARTICLES) return fail(t('bot_demo.too_many', { count: MAX_SAMPLE_ARTICLES }))
    add({ question: question.trim(), answer: answer.trim() })
    setQuestion('')
    setAnswer('')
  }
  return (
    <form className={demo.fields} onSubmit={submit}>
      <TextField
        dir="auto"
        label={t('bot_demo.question')}
        maxLength={MAX_SAMPLE_TITLE}
        value={question}
        onChange={setQuestion}
      />
      <TextArea label={t('bot_demo.answer')} maxLength={MAX_SAMPLE_TEXT} value={answer} onChange={setAnswer} />
      <div>
        <Button type="submit" variant="primary">
          {t('bot_demo.add')}
        </Button>
      </div>
    </form>
  )
}
