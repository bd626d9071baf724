import { describe, expect, it } from 'vitest'
import { choicesFor, complete, openOperator } from './completion.ts'

describe('an operator at the end of a search', () => {
  it('is completed with the names that fit what was typed so far', () => {
    const open = openOperator('lamp tag:ur')
    expect(open).toEqual({ operator: 'tag', value: 'ur', start: 5 })
    expect(open && choicesFor(open, ['urgent', 'very urgent', 'bug'])).toEqual(['urgent', 'very urgent'])
    expect(open && complete('lamp tag:ur', open, 'very urgent')).toBe('lamp tag:"very urgent" ')
  })

  it('may be in quotation marks, and ends with a space', () => {
    expect(openOperator('inbox:"Billing an')).toMatchObject({ value: 'Billing an' })
    expect(openOperator('tag:urgent ')).toBeUndefined()
    expect(openOperator('note:x')).toBeUndefined()
  })

  it('offers nothing more once the name is complete', () => {
    const open = openOperator('tag:urgent')
    expect(open && choicesFor(open, ['urgent'])).toEqual([])
  })
})
