import { beforeEach, describe, expect, it } from 'vitest'
import { MAX_FILE_BYTES } from '#contract/conversations/files.ts'
import type { StoredFile } from '#contract/conversations/messages.ts'
import { ApiError } from '../../../../platform/http/request.ts'
import type { Sending } from '../../../../platform/http/upload-request.ts'
import { Uploads } from './uploads.ts'

let sending: (Sending & { name: string; finish: (answer: StoredFile | Error) => void })[]
let done: { conversation_id: string; id: string; size: number }[]
let uploads: Uploads

const stored = (id: string): StoredFile => ({
  id,
  object: 'file',
  width: null,
  height: null,
  filename: `${id}.txt`,
  content_type: 'text/plain',
  file_url: `http://localhost/files/${id}/${id}.txt`,
})
const file = (name: string, size = 3) => new File([new Uint8Array(size)], name)
const flushTasks = () => new Promise((resolve) => setTimeout(resolve, 1))

beforeEach(() => {
  sending = []
  done = []
  let id = 0
  uploads = new Uploads({
    newId: () => `u${++id}`,
    done: (conversation_id, { id, size }) => done.push({ conversation_id, id, size }),
    send: ({ name }, dependencies) =>
      new Promise((resolve, reject) => {
        const finish = (answer: StoredFile | Error) => (answer instanceof Error ? reject(answer) : resolve(answer))
        sending.push({ ...dependencies, name, finish })
      }),
  })
})

describe('an upload', () => {
  it('ends when its user signs out, and attaches nothing for the next user', async () => {
    uploads.add('c1', file('a.txt'))
    uploads.add('c2', file('b.txt'))
    uploads.drop()
    expect(sending.map(({ signal }) => signal.aborted)).toEqual([true, true])
    sending[0]?.finish(stored('f1'))
    await flushTasks()
    expect([done, uploads.of('c1'), uploads.of('c2')]).toEqual([[], [], []])
  })

  it('reports progress and attaches the file to the conversation in which it was chosen', async () => {
    uploads.add('c1', file('a.txt'))
    sending[0]?.progress(0.5)
    expect(uploads.of('c1')).toMatchObject([{ name: 'a.txt', size: 3, state: 'uploading', part: 0.5 }])
    expect(uploads.of('c2')).toEqual([])
    sending[0]?.finish(stored('f1'))
    await flushTasks()
    expect(done).toEqual([{ conversation_id: 'c1', id: 'f1', size: 3 }])
    expect(uploads.of('c1')).toEqual([])
  })

  it('stays with the reason when it fails, and can be retried', async () => {
    uploads.add('c1', file('a.txt'))
    sending[0]?.finish(new ApiError(503, 'The disk is full.'))
    await flushTasks()
    expect(uploads.of('c1')).toMatchObject([{ state: 'failed', error: 'The disk is full.' }])
    uploads.retry('u1')
    expect(uploads.of('c1')).toMatchObject([{ state: 'uploading', part: 0 }])
    sending[1]?.finish(stored('f1'))
    await flushTasks()
    expect(done.map(({ id }) => id)).toEqual(['f1'])
  })

  it('is cancelled: the request stops and nothing is attached, even if the response was on its way', async () => {
    uploads.add('c1', file('a.txt'))
    uploads.cancel('u1')
    expect(sending[0]?.signal.aborted).toBe(true)
    sending[0]?.finish(stored('f1'))
    await flushTasks()
    expect(uploads.of('c1')).toEqual([])
    expect(done).toEqual([])
  })

  it.each([
    [MAX_FILE_BYTES + 1, 'too_large'],
    [0, 'empty'],
  ])('of %i bytes is refused before anything is sent', (size, reason) => {
    uploads.add('c1', file('a.txt', size))
    expect(uploads.of('c1')).toMatchObject([{ state: 'refused', reason }])
    expect(sending).toEqual([])
  })

  it('of the largest size that is allowed is sent', () => {
    uploads.add('c1', file('a.txt', MAX_FILE_BYTES))
    expect(sending).toHaveLength(1)
  })

  it('keeps the same array for other conversations, to avoid re-rendering', () => {
    uploads.add('c1', file('a.txt'))
    const before = uploads.of('c1')
    uploads.add('c2', file('b.txt'))
    sending[1]?.progress(0.9)
    expect(uploads.of('c1')).toBe(before)
  })
})
