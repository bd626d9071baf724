import { describe, expect, it } from 'vitest'
import { findLinks, safeHref } from './links.ts'

const hrefs = (text: string) => findLinks(text).map(({ href }) => href)
const texts = (text: string) => findLinks(text).map(({ text: shown }) => shown)

describe('the text of a message', () => {
  it.each([
    ['See https://parley.example/x?y=1.', 'https://parley.example/x?y=1'],
    ['(www.parley.example)', 'https://www.parley.example'],
    ['Write to carla@shop.example!', 'mailto:carla@shop.example'],
    ['www.ada@shop.example', 'mailto:www.ada@shop.example'],
  ])('links the address in %s', (text, href) => {
    expect(hrefs(text)).toEqual([href])
  })

  // The addresses that linkify-it finds in its own examples.
  it.each([
    'http://shop.example',
    'HTTP://SHOP.EXAMPLE',
    'http://shop.example/a_b/',
    'http://user:pass@shop.example:8080',
    'http://user@shop.example',
    'http://shop.example?a=b',
    'http://shop.example#a=b',
    'http://host2',
    'http://999',
    'http://host-name',
    'http://a---b.example/',
    'https://5b0e--lounge.example/docs/',
    'http://shop.example/a_(wiki)',
    'http://shop.example/a_[other]',
    "http://shop.example/a_{I'm_king}",
    "http://shop.example/a_I'm_king",
    "http://shop.example/10'-x-30inch/p-1P",
    'http://shop.example/a_"quoted"',
    "http://shop.example/a_'quoted'",
    'http://shop.example/a?b=sum(of(c.d),%22e%22)&f=G_H',
    'http://shop.example/a-(b-(c))',
    'https://shop.example/compare/360b...f58',
    'https://shop.example/search?l=0....0...1c.1.64',
    'http://172.26.142.48/viewer/#../0529/slides.pdf',
    'https://shop.example/maps/New+York,+NY/@40.70,-73.99,11z/data=!4m2!3m1!1s0x89:0xc8?hl=en',
    'https://shop.example/web/?hl=ru&pli=1#report/a26w20p96/',
    'http://shop.example/article/0,,9065-2473,00.html',
    'http://shop.example/inc-',
    'http://✪df.ws/123',
    'http://xn--df-oiy.ws/123',
    'http://www.bürger-häuser.example/a.jpg',
    'http://ﻡﻮﻘﻋ.ﻭﺯﺍﺭﺓ-ﺍﻼﺘﺻﺍﻼﺗ.ﻢﺻﺭ/',
    'http://shop.example/നിന്നെ-പോലൊരാള്\u200d.html',
    'https://shop.example/list?filter[size]=L&x=1',
    'https://shop.example/@ada_',
    'https://ja.example/wiki/東京（曖昧さ回避）',
    'https://shop.example/「あ。い」う',
    'http://shop.example/it’s',
  ])('links all of %s', (address) => {
    expect(texts(address)).toEqual([address])
    expect(texts(`My ${address} site`)).toEqual([address])
    for (const [before, after] of [
      '()',
      '[]',
      '{}',
      '<>',
      '""',
      "''",
      '“”',
      '„“',
      '«»',
      '（）',
      '「」',
      '【】',
      '｜｜',
    ])
      expect(texts(`${before}Look at ${address}${after}`), before).toEqual([address])
    for (const end of ['.', ',', '!', '?', ';', ':', '...', ').', '。', '、谢谢', '！', '…', '।', '؟'])
      expect(texts(`It is ${address}${end}`), end).toEqual([address])
  })

  it.each([
    'javascript:alert(1)',
    'data:text/html,<b>',
    '<img src=x onerror=alert(1)>',
    'file:///etc/passwd',
    'no address here',
    'https://',
    'http://.',
    'http://..',
    'http://#',
    'http://??',
    'http://.shop.example',
    'http://-shop.example',
    'hppt://shop.example',
    '_http://shop.example',
    'http://shop.example_',
    'https://shop.example:99999/',
    'xhttp://shop.example',
    'www.shop',
    'localhost/',
  ])('makes no link of %s', (text) => {
    expect(hrefs(text)).toEqual([])
  })

  it.each([
    ['*https://x.example*', 'https://x.example'],
    ['**https://x.example/a**', 'https://x.example/a'],
    ['_https://x.example/a_b_', 'https://x.example/a_b'],
    ['__https://x.example__', 'https://x.example'],
    ['[https://x.example](', 'https://x.example'],
    ['`https://x.example`', 'https://x.example'],
    ['[a](https://x.example)[b](mailto:c@d.example)', 'https://x.example'],
    ['user@http://x.example', 'http://x.example'],
    ['text:http://x.example/', 'http://x.example/'],
    ['http://localhost:8000?', 'http://localhost:8000'],
    ['https://x.example/(a) (b)', 'https://x.example/(a)'],
    ['见https://x.example/a。谢谢', 'https://x.example/a'],
    ['（https://x.example/b）です', 'https://x.example/b'],
    ['https://x.example에서', 'https://x.example'],
    ['https://x.example/a\u202egpj.exe', 'https://x.example/a'],
  ])('ends the address in %j where the text goes on', (text, shown) => {
    expect(texts(text)[0]).toBe(shown)
  })

  it('finds the position of each link', () => {
    const text = 'a https://x.example b www.y.example, c'
    for (const { text: shown, at } of findLinks(text)) expect(text.slice(at, at + shown.length)).toBe(shown)
    expect(findLinks(text)).toHaveLength(2)
  })
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
