import { describe, expect, it } from 'vitest'
import { mayUpload } from './environment.ts'

describe('attaching files', () => {
  it.each(['1', 'a1', 'a0,a1', 'a0, a1'])('is offered to the account when the flag is %j', (flag) => {
    expect(mayUpload('a1', flag)).toBe(true)
  })

  it.each(['0', '', 'a0', 'a11', null])('is hidden from the account when the flag is %j', (flag) => {
    expect(mayUpload('a1', flag)).toBe(false)
  })
})
