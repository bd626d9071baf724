import { beforeEach, expect, it, vi } from 'vitest'
import { ME, storage } from '../../../testing/samples.ts'
import { switchDraftOwner } from './draft-owner.ts'
import { readDraft, writeDraft } from './drafts.ts'

const COLLEAGUE = 8

beforeEach(() => {
  vi.stubGlobal('localStorage', storage())
})

it('another person in the same browser sees nothing of what the first was writing, and writes their own', () => {
  switchDraftOwner(ME)
  writeDraft('c1', { body: 'mine', type: 'note' })
  switchDraftOwner(COLLEAGUE)
  expect(readDraft('c1')).toEqual({ body: '', type: 'reply' })
  writeDraft('c1', { body: 'theirs', type: 'reply' })
  switchDraftOwner(ME)
  expect(readDraft('c1')).toEqual({ body: 'mine', type: 'note' })
  switchDraftOwner(COLLEAGUE)
  expect(readDraft('c1').body).toBe('theirs')
})

it('what is unsaved of a draft goes away and comes back with it', () => {
  switchDraftOwner(ME)
  localStorage.setItem('parley.draft-revision:c1', '{"revision":5,"unsaved":true}')
  switchDraftOwner(COLLEAGUE)
  expect(localStorage.getItem('parley.draft-revision:c1')).toBeNull()
  switchDraftOwner(ME)
  expect(localStorage.getItem('parley.draft-revision:c1')).toBe('{"revision":5,"unsaved":true}')
})

it('drafts of which nobody knows whose they are stay for whoever signs in first', () => {
  writeDraft('c1', { body: 'from before', type: 'reply' })
  switchDraftOwner(ME)
  expect(readDraft('c1').body).toBe('from before')
})
