import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { Conversation } from '#contract/conversations/conversations.ts'
import type { Macro } from '#contract/conversations/macros.ts'
import { showError } from '../../../platform/http/errors.ts'
import { notify } from '../../../ui/notices.ts'
import { useTeam } from '../../accounts/accounts/account.ts'
import { keysOf } from '../actions/registry.ts'
import { readDraft, writeDraft } from '../messages/drafts/drafts.ts'
import { valuesFor } from '../saved-replies/values.ts'
import { fillVariables } from '../saved-replies/variables.ts'
import { macrosQuery, restoreState, runMacro } from './queries.ts'

/** The macros of the signed-in user, and how to run one on conversations. */
export function useMacros() {
  const { t } = useTranslation()
  const client = useQueryClient()
  const team = useTeam()
  const { data: macros = [] } = useQuery(macrosQuery)

  async function run(macro: Macro, list: readonly Conversation[]) {
    try {
      for (const conversation of list) insertText(macro.content, conversation)
      if (macro.actions.length === 0) return
      const undone = await Promise.all(
        list.map(async ({ id }) => {
          const before = await runMacro(macro, id)
          return () => restoreState(id, before)
        }),
      )
      const undo = () =>
        Promise.all(undone.map((restore) => restore())).catch((error) => showError(t('macro_run.not_undone'), error))
      const action = { label: t('undo'), run: () => void undo(), keys: keysOf('undo') }
      notify({ kind: 'success', key: 'undo macro', title: t('macro_run.done', { name: macro.name }), action })
    } catch (error) {
      showError(t('macro_run.failed', { name: macro.name }), error)
    }
  }

  /** Below what is written already. */
  function insertText(content: string, conversation: Conversation) {
    if (!content.trim()) return
    const draft = readDraft(conversation.id)
    const text = fillVariables(content, valuesFor(client, team, conversation))
    writeDraft(conversation.id, { ...draft, body: [draft.body, text].filter((part) => part.trim()).join('\n') })
  }

  return { macros, run: (macro: Macro, list: readonly Conversation[]) => void run(macro, list) }
}
