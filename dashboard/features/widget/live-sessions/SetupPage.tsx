import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { publicAddress } from '../../../platform/environment.ts'
import { Choice } from '../../../ui/Choice.tsx'
import { CodeSnippet, CopyCode } from '../../../ui/CodeSnippet.tsx'
import { Block } from '../../../ui/EditBlock.tsx'
import { Page } from '../../../ui/Page.tsx'
import { AdminsOnly } from '../../accounts/accounts/AdminsOnly.tsx'
import { useTeam } from '../../accounts/accounts/account.ts'
import styles from './BrowserSessions.module.css'
import { SetupCheck } from './SetupCheck.tsx'
import { SNIPPETS, type SnippetKind } from './snippets.ts'
import { WatchingBlock } from './WatchingBlock.tsx'

const KINDS: readonly SnippetKind[] = ['html', 'script', 'module']
const ATTRIBUTES = [
  ['data-parley-unmask', 'unmask'],
  ['data-parley-mask', 'mask'],
  ['data-parley-block', 'block'],
  ['blocklist', 'blocklist'],
  ['consent', 'consent'],
] as const

/** The code for a website, a check whether it works, and who may watch. */
export function SetupPage() {
  const { t } = useTranslation()
  return (
    <AdminsOnly>
      <Page title={t('storytime.title')} text={t('storytime.text')}>
        <Install />
        <Block title={t('storytime.rules')} text={t('storytime.rules_text')}>
          <dl className={styles.rules}>
            {ATTRIBUTES.map(([name, meaning]) => (
              <div key={name}>
                <dt>
                  <code>{name}</code>
                </dt>
                <dd>{t(`storytime.${meaning}`)}</dd>
              </div>
            ))}
          </dl>
        </Block>
        <WatchingBlock />
      </Page>
    </AdminsOnly>
  )
}

function Install() {
  const { t } = useTranslation()
  const [kind, setKind] = useState<SnippetKind>('html')
  const code = SNIPPETS[kind]({ account_id: useTeam().account.id, base: publicAddress() })
  return (
    <Block title={t('storytime.install')}>
      <div className={styles.tools}>
        <Choice
          legend={t('storytime.kind')}
          hideLegend
          options={KINDS.map((value) => ({ value, label: t(`storytime.${value}`) }))}
          value={kind}
          onChange={setKind}
        />
        <CopyCode
          code={code}
          label={t('storytime.copy')}
          copied={t('storytime.copied')}
          notCopied={t('storytime.not_copied')}
        />
      </div>
      <p className={styles.quiet}>{t(`storytime.${kind}_text`)}</p>
      <CodeSnippet code={code} label={t('storytime.snippet')} />
      <SetupCheck />
    </Block>
  )
}
