import { Button } from 'antd'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { notify } from '../../ui/notices.ts'
import demo from '../demo/DemoPage.module.css'
import { TextField } from '../widget-settings/TextField.tsx'
import { type Faq, isComplete } from './faqs.ts'

/** A question and its answer, to teach the bot. */
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
      <TextField label={t('bot_demo.question')} value={question} onChange={setQuestion} />
      <TextField label={t('bot_demo.answer')} value={answer} onChange={setAnswer} long />
      <div>
        <Button htmlType="submit" type="primary">
          {t('bot_demo.add')}
        </Button>
      </div>
    </form>
  )
}
