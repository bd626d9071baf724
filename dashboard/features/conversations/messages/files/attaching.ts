import { useCallback, useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { mayUpload } from '../../../../platform/environment.ts'
import { uploadFile } from '../../../../platform/http/upload-request.ts'
import { newId } from '../../../../platform/new-id.ts'
import { notify } from '../../../../ui/notices.ts'
import { useTeam } from '../../../accounts/accounts/account.ts'
import { attachToDraft, readDraft } from '../drafts/drafts.ts'
import { type Upload, Uploads } from './uploads.ts'

/** The server's limit for one message. */
const MAX_FILES = 20

const uploads = new Uploads({ send: uploadFile, done: attachToDraft, newId })
const subscribe = (listener: () => void) => uploads.subscribe(listener)

/** The uploads of one conversation that are running or have failed. */
export function useUploads(conversation_id: string): readonly Upload[] {
  return useSyncExternalStore(subscribe, () => uploads.of(conversation_id))
}

export const retryUpload = (id: string) => uploads.retry(id)
export const cancelUpload = (id: string) => uploads.cancel(id)
export const dropUploads = () => uploads.drop()

/** Attaches files to the draft of a conversation. Undefined where attaching is disabled. */
export function useAttach(conversation_id: string): ((files: Iterable<File>) => void) | undefined {
  const { t } = useTranslation()
  const { account } = useTeam()
  const attach = useCallback(
    (files: Iterable<File>) => {
      const chosen = [...files]
      const attachedCount = (readDraft(conversation_id).files?.length ?? 0) + uploads.of(conversation_id).length
      const room = Math.max(MAX_FILES - attachedCount, 0)
      for (const file of chosen.slice(0, room)) uploads.add(conversation_id, file)
      if (chosen.length > room) notify({ kind: 'error', title: t('files.over_limit', { limit: MAX_FILES }) })
    },
    [conversation_id, t],
  )
  return mayUpload(account.id) ? attach : undefined
}
