import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { DraftChange, StoredDraft } from '#contract/conversations/drafts.ts'
import { ApiError } from '../../../../platform/http/request.ts'
import { storage } from '../../../../testing/samples.ts'
import { DraftSync } from './draft-sync.ts'
import { onDrafts, readDraft, writeDraft } from './drafts.ts'

beforeEach(() => {
  vi.stubGlobal('localStorage', storage())
})

let stop: () => void = () => {}
afterEach(() => stop())

/** A fake server that keeps one draft, and a device with a fixed clock. */
function setUp() {
  let stored: StoredDraft | null = null
  let isOffline = false
  const due: (() => void)[] = []
  const save = vi.fn(
    async (_id: string, { mentioned_user_ids = [], original_body = null, file_ids: _, ...rest }: DraftChange) => {
      if (isOffline) throw new ApiError(0, 'no line')
      if (!stored || stored.revision < rest.revision) {
        stored = { ...rest, original_body, mentioned_user_ids: mentioned_user_ids.map(Number), files: [] }
      }
      return stored
    },
  )
  const sync = new DraftSync({
    save,
    load: async () => stored,
    storage: localStorage,
    now: () => 1_000,
    later(run) {
      due.push(run)
      return () => void due.splice(due.indexOf(run), 1)
    },
  })
  stop = onDrafts((id) => sync.written(id))
  return {
    sync,
    save,
    due,
    saveElsewhere: (body: string, revision: number, original_body: string | null = null) =>
      (stored = { body, original_body, type: 'reply', mentioned_user_ids: [], files: [], revision }),
    server: () => stored,
    goOffline: (offline: boolean) => (isOffline = offline),
  }
}

const write = (body: string) => writeDraft('c1', { body, type: 'reply' })

describe('a draft', () => {
  it('is saved once typing pauses, not with every letter', async () => {
    const { sync, save, due, server } = setUp()
    for (const body of ['H', 'He', 'Hel']) write(body)
    expect(save).not.toHaveBeenCalled()
    expect(due).toHaveLength(1)
    await sync.save('c1')
    expect(save).toHaveBeenCalledTimes(1)
    expect(server()).toMatchObject({ body: 'Hel', revision: 1_002 })
    await sync.save('c1')
    expect(save).toHaveBeenCalledTimes(1)
  })

  it('is replaced by a newer one from another device, and not saved again', async () => {
    const { sync, save, saveElsewhere } = setUp()
    write('old')
    await sync.save('c1')
    saveElsewhere('newer, from the phone', 5_000)
    await sync.load('c1')
    expect(readDraft('c1').body).toBe('newer, from the phone')
    expect(save).toHaveBeenCalledTimes(1)
  })

  it('is not replaced while the user types', async () => {
    const { sync, saveElsewhere } = setUp()
    write('typing')
    saveElsewhere('newer', 5_000)
    await sync.load('c1')
    expect(readDraft('c1').body).toBe('typing')
  })

  it('that was sent on one device disappears on the other', async () => {
    const { sync, saveElsewhere } = setUp()
    write('old')
    await sync.save('c1')
    saveElsewhere('', 5_000)
    await sync.load('c1')
    expect(readDraft('c1').body).toBe('')
  })

  it('with unsaved text is joined with the newer one, so that no text is lost', async () => {
    const { sync, saveElsewhere, goOffline, server } = setUp()
    goOffline(true)
    write('written in the train')
    await sync.save('c1')
    goOffline(false)
    saveElsewhere('written at the desk', 5_000)
    await sync.save('c1')
    expect(readDraft('c1').body).toBe('written at the desk\nwritten in the train')
    await sync.save('c1')
    expect(server()).toMatchObject({ body: 'written at the desk\nwritten in the train', revision: 5_001 })
  })

  it('that is a translation takes along what its author wrote, also when it is joined with another text', async () => {
    const { sync, saveElsewhere, server } = setUp()
    writeDraft('c1', { body: 'Guten Tag', type: 'reply', original: 'Hello' })
    await sync.save('c1')
    expect(server()).toMatchObject({ body: 'Guten Tag', original_body: 'Hello' })
    saveElsewhere('Bonjour', 5_000, 'Good day')
    await sync.load('c1')
    expect(readDraft('c1')).toMatchObject({ body: 'Bonjour', original: 'Good day' })
    write('written in the train')
    saveElsewhere('Bonsoir', 9_000, 'Good evening')
    await sync.save('c1')
    expect(readDraft('c1')).toMatchObject({
      body: 'Bonsoir\nwritten in the train',
      original: 'Good evening\nwritten in the train',
    })
  })

  it('from a version without synchronization is saved from then on', async () => {
    localStorage.setItem(':__MESSAGE_DRAFT__:c1', '{"body":"from last week","type":"note"}')
    const { sync, server } = setUp()
    await sync.load('c1')
    await sync.save('c1')
    expect(server()).toMatchObject({ body: 'from last week', type: 'note' })
  })
})
