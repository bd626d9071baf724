import { describe, expect, it } from 'vitest'
import { findLinks, safeHref } from './links.ts'

const hrefs = (text: string) => findLinks(text).map(({ href }) => href)

describe('the text of a message', () => {
  it.each([
    ['See https://parley.example/x?y=1.', 'https://parley.example/x?y=1'],
    ['(www.parley.example)', 'https://www.parley.example'],
    ['https://en.example/wiki/A_(b) is it', 'https://en.example/wiki/A_(b)'],
    ['Write to carla@shop.example!', 'mailto:carla@shop.example'],
  ])('links the address in %s', (text, href) => {
    expect(hrefs(text)).toEqual([href])
  })

  it.each([
    'javascript:alert(1)',
    'data:text/html,<b>',
    '<img src=x onerror=alert(1)>',
    'file:///etc/passwd',
    'no address here',
    'https://',
  ])('makes no link of %s', (text) => {
    expect(hrefs(text)).toEqual([])
  })

  it.each([
    ['*https://x.example*', 'https://x.example'],
    ['_https://x.example/a_b_', 'https://x.example/a_b'],
    ['[https://x.example](', 'https://x.example'],
  ])('ends the address in %s where formatting begins', (text, href) => {
    expect(hrefs(text)).toEqual([href])
  })

  it('finds the position of each link', () => {
    const text = 'a https://x.example b www.y.example, c'
    for (const { text: found, at } of findLinks(text)) expect(text.slice(at, at + found.length)).toBe(found)
    expect(findLinks(text)).toHaveLength(2)
  })

  it.each(['a.', 'a@', 'www.', '(https://x', ')', 'a@a.', '..'])(
    'reads 50,000 signs of "%s" without hesitation',
    (unit) => {
      const started = Date.now()
      findLinks(`https://x${unit.repeat(50_000 / unit.length)}`)
      expect(Date.now() - started).toBeLessThan(1_000)
    },
  )
})

describe('a link that somebody wrote', () => {
  it.each(['https://x.example', 'http://x.example/?a=b', 'mailto:a@b.example'])('may lead to %s', (address) => {
    expect(safeHref(address)).toBe(address)
  })

  it.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'data:text/html,x',
    '/settings',
    '//x.example',
    'vbscript:x',
    'https://',
  ])('never leads to %s', (address) => {
    expect(safeHref(address)).toBeUndefined()
  })
})
