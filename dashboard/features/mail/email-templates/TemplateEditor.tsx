import { Suspense, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import {
  DEFAULT_TEMPLATE_COLOR,
  type EmailTemplate,
  TEMPLATE_VARIABLES,
  type TemplatePreview,
} from '#contract/mail/email-templates.ts'
import { lazyComponent } from '../../../platform/lazy/lazy-component.tsx'
import { messageTime } from '../../../platform/times.ts'
import { Banner } from '../../../ui/Banner.tsx'
import { Button } from '../../../ui/Button.tsx'
import type { CodeEditorHandle } from '../../../ui/CodeEditor.tsx'
import { Confirm } from '../../../ui/Confirm.tsx'
import { Each } from '../../../ui/Each.tsx'
import { Undrawn } from '../../../ui/PartBoundary.tsx'
import { Pill } from '../../../ui/Pill.tsx'
import { TableSkeleton } from '../../../ui/Table.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import styles from './Templates.module.css'
import { useTemplateDraft } from './useTemplateDraft.ts'
import { Versions } from './Versions.tsx'

const CodeEditor = lazyComponent(async () => (await import('../../../ui/CodeEditor.tsx')).CodeEditor)

/** The template on the left, its preview on the right. */
export function TemplateEditor({ template }: { template: EmailTemplate }) {
  const { t } = useTranslation()
  const editor = useRef<CodeEditorHandle>(null)
  const writing = useTemplateDraft(template)
  const { draft, preview, change } = writing
  const problems = preview?.problems ?? []
  const wrong = problems.find(({ field }) => field === 'subject')?.message
  return (
    <>
      {template.failed_at && (
        <Banner tone="warning">
          {t('templates.failing', { when: messageTime(template.failed_at), failure: template.failure })}
        </Banner>
      )}
      <div className={styles.actions}>
        <Button variant="primary" loading={writing.isBusy} onClick={writing.save}>
          {t('save')}
        </Button>
        <Button disabled={writing.isBusy} onClick={writing.validate}>
          {t('templates.validate')}
        </Button>
        <Button disabled={writing.isBusy} onClick={writing.test}>
          {t('templates.test')}
        </Button>
        <Confirm question={t('templates.reset_confirm')} yes={t('yes')} no={t('no')} run={writing.reset}>
          <Button variant="text" disabled={template.is_default && !writing.isChanged}>
            {t('templates.reset')}
          </Button>
        </Confirm>
        <Pill tone={template.is_default ? 'neutral' : 'accent'}>
          {t(template.is_default ? 'templates.is_default' : 'templates.is_own')}
        </Pill>
        {writing.isChanged && <span className={styles.quiet}>{t('templates.unsaved')}</span>}
      </div>
      <div className={styles.fields}>
        <TextField
          label={t('templates.subject')}
          maxLength={500}
          error={wrong}
          {...(template.kind === 'answer' && { hint: t('templates.answer_hint'), readOnly: true })}
          value={draft.subject}
          onChange={(subject) => change({ subject })}
        />
        <TextField
          label={t('templates.color')}
          hint={t('templates.color_hint', { color: DEFAULT_TEMPLATE_COLOR })}
          maxLength={40}
          value={draft.color}
          onChange={(color) => change({ color })}
        />
      </div>
      <Variables kind={template.kind} insert={(text) => editor.current?.insert(text)} />
      <div className={styles.sides}>
        <div className={styles.code}>
          <Suspense fallback={<TableSkeleton label={t('loading')} />}>
            <CodeEditor
              label={t('templates.body')}
              language="html"
              value={draft.body}
              onChange={(body) => change({ body })}
              onSave={writing.save}
              problems={problems.filter(({ field }) => field === 'body')}
              handle={editor}
            />
          </Suspense>
          <Problems problems={problems} />
        </div>
        <div className={styles.look}>
          <p className={styles.quiet}>{preview?.subject || t('templates.preview')}</p>
          <iframe className={styles.frame} title={t('templates.preview')} sandbox="" srcDoc={preview?.html ?? ''} />
        </div>
      </div>
      <Versions kind={template.kind} restore={writing.restore} />
    </>
  )
}

/** The template's errors, below the code, where they are scrolled into view. */
function Problems({ problems }: { problems: TemplatePreview['problems'] }) {
  const { t } = useTranslation()
  const first = useRef<HTMLParagraphElement>(null)
  const key = JSON.stringify(problems)
  useEffect(() => {
    if (key !== '[]') first.current?.scrollIntoView({ block: 'center' })
  }, [key])
  return (
    <Each name="problem" items={problems} keyOf={({ field, line }) => `${field} ${line}`} fallback={() => <Undrawn />}>
      {({ field, line, message }, at) => (
        <p ref={at === 0 ? first : undefined} role="alert" className={styles.wrong}>
          {t('templates.problem', { field: t(`templates.${field}`), line, message })}
        </p>
      )}
    </Each>
  )
}

interface VariablesProps {
  kind: EmailTemplate['kind']
  insert: (text: string) => void
}

function Variables({ kind, insert }: VariablesProps) {
  const { t } = useTranslation()
  return (
    <fieldset className={styles.variables}>
      <legend>{t('templates.variables')}</legend>
      {TEMPLATE_VARIABLES[kind].map(({ name, snippet }) => (
        <Button key={name} size="small" aria-label={t('templates.insert', { name })} onClick={() => insert(snippet)}>
          {name}
        </Button>
      ))}
    </fieldset>
  )
}
