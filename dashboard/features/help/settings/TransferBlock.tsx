import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ArticleImport } from '#contract/help/articles.ts'
import { showError } from '../../../platform/http/errors.ts'
import { Button } from '../../../ui/Button.tsx'
import { Each } from '../../../ui/Each.tsx'
import { Block } from '../../../ui/EditBlock.tsx'
import { FileField } from '../../../ui/FileField.tsx'
import styles from './HelpSettings.module.css'
import { exportArticles, importArticles } from './queries.ts'

/** Importing and exporting folders of Markdown files. */
export function TransferBlock() {
  const { t } = useTranslation()
  const client = useQueryClient()
  const [running, setRunning] = useState<'import' | 'export'>()
  const [report, setReport] = useState<ArticleImport>()
  async function run(kind: 'import' | 'export', work: () => Promise<void>) {
    setRunning(kind)
    await work().catch((error) => showError('Articles not moved', error))
    setRunning(undefined)
  }
  const choose = (file: File | undefined) => {
    if (file) void run('import', async () => setReport(await importArticles(client, file)))
  }
  return (
    <Block title={t('help.transfer')} text={t('help.transfer_text')}>
      <FileField
        label={t('help.import')}
        hint={t('help.import_hint')}
        accept=".zip,application/zip"
        disabled={running !== undefined}
        choose={choose}
      />
      <div role="status">
        {running === 'import' && t('help.importing')}
        {report && !running && <p>{t('help.imported', { ...report })}</p>}
      </div>
      {report && report.problems.length > 0 && (
        <ul className={styles.problems} aria-label={t('help.import_problems')}>
          <Each name="problem" items={report.problems} keyOf={({ file }, at) => `${at} ${file}`}>
            {({ file, problem }) => (
              <li>
                <code>{file}</code> {problem}
              </li>
            )}
          </Each>
        </ul>
      )}
      <div>
        <Button
          loading={running === 'export'}
          disabled={running === 'import'}
          onClick={() => void run('export', exportArticles)}
        >
          {t('help.export')}
        </Button>
      </div>
    </Block>
  )
}
