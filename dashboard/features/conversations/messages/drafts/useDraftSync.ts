import { useEffect } from 'react'
import { drafts } from '#contract/conversations/drafts.ts'
import { call } from '../../../../platform/http/api.ts'
import { storage } from '../../../../platform/storage.ts'
import { STAYING_MS } from '../../../../ui/DelayedFallback.tsx'
import { DraftSync } from './draft-sync.ts'
import { onDrafts } from './drafts.ts'

const sync = new DraftSync({
  save: async (id, draft) => (await call(drafts.save, { params: { id }, body: { draft } })).data,
  load: async (id) => (await call(drafts.get, { params: { id } })).data,
  storage,
  now: Date.now,
  later(run, ms) {
    const timer = setTimeout(run, ms)
    return () => clearTimeout(timer)
  },
})

onDrafts((conversation_id) => sync.written(conversation_id))

/** Saves a draft at once. */
export function saveDraftNow(conversation_id: string) {
  sync.save(conversation_id)
}

/**
 * Synchronizes the open conversation's draft: loaded when it is opened and when the window gets the focus, saved when
 * it is left.
 */
export function useDraftSync(conversation_id: string) {
  useEffect(() => {
    const load = () => {
      if (!document.hidden) sync.load(conversation_id)
    }
    const save = () => saveDraftNow(conversation_id)
    const turn = () => (document.hidden ? save() : load())
    const timer = setTimeout(load, STAYING_MS)
    window.addEventListener('focus', load)
    window.addEventListener('blur', save)
    document.addEventListener('visibilitychange', turn)
    return () => {
      clearTimeout(timer)
      window.removeEventListener('focus', load)
      window.removeEventListener('blur', save)
      document.removeEventListener('visibilitychange', turn)
      save()
    }
  }, [conversation_id])
}
