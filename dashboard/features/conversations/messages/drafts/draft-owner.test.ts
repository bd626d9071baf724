import { beforeEach, expect, it, vi } from 'vitest'
import { ME, storage } from '../../../../testing/samples.ts'
import { switchDraftOwner } from './draft-owner.ts'
import { readDraft, writeDraft } from './drafts.ts'

const COLLEAGUE = 8

beforeEach(() => {
  vi.stubGlobal('localStorage', storage())
})

it('another person in the same browser does not see the first one’s drafts and has their own', () => {
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

it('unsaved changes of a draft disappear and return with their user', () => {
  switchDraftOwner(ME)
  localStorage.setItem('parley.draft-revision:c1', '{"revision":5,"unsaved":true}')
  switchDraftOwner(COLLEAGUE)
  expect(localStorage.getItem('parley.draft-revision:c1')).toBeNull()
  switchDraftOwner(ME)
  expect(localStorage.getItem('parley.draft-revision:c1')).toBe('{"revision":5,"unsaved":true}')
})

it('drafts without an owner go to the person who signs in first', () => {
  writeDraft('c1', { body: 'from before', type: 'reply' })
  switchDraftOwner(ME)
  expect(readDraft('c1').body).toBe('from before')
})
