import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { EmailTemplate, TemplateDraft, TemplatePreview } from '#contract/mail/email-templates.ts'
import { errorText, logError, showError } from '../../../platform/http/errors.ts'
import { useUnsaved } from '../../../ui/form-guard.ts'
import { notify } from '../../../ui/notices.ts'
import { previewTemplate, resetTemplate, restoreVersion, saveTemplate, sendTest } from './queries.ts'

/** The edited template, its preview, and actions on it. */
export function useTemplateDraft(template: EmailTemplate) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const { kind } = template
  const [draft, setDraft] = useState(() => draftOf(template))
  const [preview, setPreview] = useState<TemplatePreview>()
  const [isBusy, setBusy] = useState(false)
  const latest = useRef(draft)
  latest.current = draft

  async function updatePreview(input: TemplateDraft): Promise<boolean> {
    const next = await previewTemplate(kind, input)
    // With an error in the template, the last preview is kept.
    setPreview((before) => (next.problems.length > 0 && before ? { ...before, problems: next.problems } : next))
    return next.problems.length === 0
  }
  async function run(what: string, work: () => Promise<void>) {
    setBusy(true)
    await work().catch((error) => showError(what, error))
    setBusy(false)
  }
  const begin = useRef(() => {
    updatePreview(latest.current).catch((error) => logError('Template not shown', error))
  })
  useEffect(() => begin.current(), [])

  const isChanged = (['subject', 'body', 'color'] as const).some((field) => draft[field] !== template[field])
  useUnsaved(isChanged)
  return {
    draft,
    preview,
    isBusy,
    isChanged,
    change: (changes: Partial<TemplateDraft>) => setDraft({ ...latest.current, ...changes }),
    validate: () =>
      run('Template not checked', async () => {
        if (await updatePreview(latest.current)) notify({ kind: 'success', title: t('templates.valid') })
      }),
    save: () =>
      run('Template not saved', async () => {
        if (!(await updatePreview(latest.current))) return
        await saveTemplate(client, kind, latest.current)
        notify({ kind: 'success', title: t('templates.saved') })
      }),
    test: () =>
      run('Test not sent', async () => {
        if (!(await updatePreview(latest.current))) return
        notify({ kind: 'success', title: t('templates.test_sent', { to: await sendTest(kind, latest.current) }) })
      }),
    reset: () => replaceDraft(async () => (template.is_default ? template : resetTemplate(client, kind))),
    restore: (version_id: string) => replaceDraft(() => restoreVersion(client, kind, version_id)),
  }

  /** Replaces the draft with the template that the server now uses. */
  async function replaceDraft(loadTemplate: () => Promise<EmailTemplate | undefined>) {
    try {
      const next = await loadTemplate()
      if (!next) return
      setDraft(draftOf(next))
      setPreview((before) => before && { ...before, problems: [] })
      await updatePreview(draftOf(next))
    } catch (error) {
      logError('Template not changed', error)
      notify({ kind: 'error', title: errorText(error) })
    }
  }
}

function draftOf({ subject, body, color }: EmailTemplate): TemplateDraft {
  return { subject, body, color }
}
