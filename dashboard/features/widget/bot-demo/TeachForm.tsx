import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../../ui/Button.tsx'
import { notify } from '../../../ui/notices.ts'
import { TextArea } from '../../../ui/TextArea.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import demo from '../demo/DemoPage.module.css'
import { type Faq, isComplete } from './faqs.ts'

/** Adds a question and answer pair. */
export function TeachForm({ add }: { add: (pair: Omit<Faq, 'id'>) => void }) {
  const { t } = useTranslation()
  const [question, setQuestion] = useState('')
  const [answer, setAnswer] = useState('')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!isComplete({ question, answer })) {
      notify({ kind: 'error', key: 'training', title: t('bot_demo.failed'), text: t('bot_demo.failed_text') })
      return
    }
    add({ question: question.trim(), answer: answer.trim() })
    setQuestion('')
    setAnswer('')
  }
  return (
    <form className={demo.fields} onSubmit={submit}>
      <TextField dir="auto" label={t('bot_demo.question')} value={question} onChange={setQuestion} />
      <TextArea label={t('bot_demo.answer')} value={answer} onChange={setAnswer} />
      <div>
        <Button type="submit" variant="primary">
          {t('bot_demo.add')}
        </Button>
      </div>
    </form>
  )
}
