import { useState } from 'react'
import { Trans, useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { newId } from '../../../platform/new-id.ts'
import { IconButton } from '../../../ui/IconButton.tsx'
import demo from '../demo/DemoPage.module.css'
import { DemoShell } from '../demo/DemoShell.tsx'
import { BotChat } from './BotChat.tsx'
import styles from './BotDemo.module.css'
import { type Faq, readFaqs, storeFaqs } from './faqs.ts'
import { TeachForm } from './TeachForm.tsx'

/** A demo of a bot that answers from question and answer pairs: the articles of a sample help center, which this browser keeps. */
export function BotDemoPage() {
  const { t } = useTranslation()
  const [faqs, setFaqs] = useState(readFaqs)
  const save = (next: Faq[]) => {
    storeFaqs(next)
    setFaqs(next)
  }
  return (
    <DemoShell
      title={t('bot_demo.title')}
      text={<Trans i18nKey="bot_demo.disabled" components={{ demo: <Link to="/demo">.</Link> }} />}
    >
      <div className={demo.columns}>
        <div className={demo.fields}>
          <TeachForm count={faqs.length} add={(pair) => save([...faqs, { id: newId(), ...pair }])} />
          <section aria-label={t('bot_demo.pairs')}>
            <h2 className={styles.heading}>{t('bot_demo.pairs')}</h2>
            <p className={demo.quiet}>{t('bot_demo.sample')}</p>
            <ul className={styles.pairs}>
              {faqs.map((faq) => (
                <li key={faq.id}>
                  <div>
                    <p className={styles.question}>{faq.question}</p>
                    <p>{faq.answer}</p>
                  </div>
                  <IconButton
                    icon="trash"
                    label={t('bot_demo.remove', { question: faq.question })}
                    onClick={() => save(faqs.filter(({ id }) => id !== faq.id))}
                  />
                </li>
              ))}
            </ul>
            {faqs.length === 0 && <p className={demo.quiet}>{t('bot_demo.empty')}</p>}
          </section>
          <p>
            <Link to="/register" className={demo.next}>
              {t('demo.sign_up')}
            </Link>
          </p>
        </div>
        <BotChat faqs={faqs} />
      </div>
    </DemoShell>
  )
}
