import { beforeEach, describe, expect, it, vi } from 'vitest'
import { storage } from '../../../../testing/samples.ts'
import { attachToDraft, detachFromDraft, readDraft, returnToDraft, writeDraft } from './drafts.ts'

beforeEach(() => {
  vi.stubGlobal('localStorage', storage())
})

describe('a draft', () => {
  it('is kept per conversation under a key that starts with :__MESSAGE_DRAFT__:', () => {
    writeDraft('c1', { body: 'Half a sen', type: 'note' })
    expect(localStorage.key(0)).toBe(':__MESSAGE_DRAFT__:c1')
    expect(readDraft('c1')).toEqual({ body: 'Half a sen', type: 'note' })
    expect(readDraft('c2')).toEqual({ body: '', type: 'reply' })
  })

  it('is the same object until it changes, to avoid re-rendering', () => {
    writeDraft('c1', { body: 'a', type: 'reply' })
    expect(readDraft('c1')).toBe(readDraft('c1'))
  })

  it('leaves nothing behind when it is emptied', () => {
    writeDraft('c1', { body: 'a', type: 'reply' })
    writeDraft('c1', { body: '', type: 'reply' })
    expect(localStorage.length).toBe(0)
  })

  it('loses no text when a failed message returns while the next is being written', () => {
    writeDraft('c1', { body: 'second', type: 'reply' })
    returnToDraft('c1', { body: 'first', type: 'reply', outdated: true })
    expect(readDraft('c1')).toEqual({ body: 'first\nsecond', type: 'reply', outdated: true })
  })

  it('keeps text that was stored in another form', () => {
    localStorage.setItem(':__MESSAGE_DRAFT__:c1', 'plain text')
    expect(readDraft('c1').body).toBe('plain text')
  })
})

describe('the files of a draft', () => {
  const file = (id: string) => ({
    id,
    object: 'file' as const,
    width: null,
    height: null,
    filename: `${id}.png`,
    content_type: 'image/png',
    file_url: `http://localhost/files/${id}/${id}.png`,
    size: 12,
  })

  it('are stored with it, each once, also without text', () => {
    attachToDraft('c1', file('f1'))
    attachToDraft('c1', file('f2'))
    attachToDraft('c1', file('f1'))
    expect(readDraft('c1')).toEqual({ body: '', type: 'reply', files: [file('f1'), file('f2')] })
  })

  it('leave nothing behind when the last one is removed', () => {
    attachToDraft('c1', file('f1'))
    detachFromDraft('c1', 'f1')
    expect(localStorage.length).toBe(0)
  })

  it('return with the text of a failed message, beside those attached since', () => {
    attachToDraft('c1', file('f2'))
    returnToDraft('c1', { body: 'first', type: 'note', files: [file('f1')] })
    expect(readDraft('c1')).toEqual({ body: 'first', type: 'note', files: [file('f1'), file('f2')] })
  })

  it('are dropped if the stored value is invalid', () => {
    localStorage.setItem(':__MESSAGE_DRAFT__:c1', '{"body":"a","type":"reply","files":[null,{"id":1},"x"]}')
    expect(readDraft('c1')).toEqual({ body: 'a', type: 'reply' })
  })
})
