import { expect, test } from 'vitest'
import { renderHtml, renderText } from '../mails/mail-templates.ts'
import { mailGallery, sampleMails } from './gallery.ts'

const letters = [...sampleMails('en'), ...sampleMails('vi')]

test.each(letters)('%s says what it says in text and HTML alike, and fills every placeholder', (_name, content) => {
  const [text, html] = [renderText(content), renderHtml(content)]
  for (const said of [content.subject, text, html]) expect(said).not.toMatch(/[{}](?!.*[;:])|undefined/)
  for (const part of content.parts) {
    if (part.type === 'button') for (const said of [text, html]) expect(said).toContain(part.href)
  }
})

test('words of customers are text in every mail, never HTML', () => {
  for (const [, content] of letters) expect(renderHtml(content)).not.toContain('<b>oak')
})

test('a mail to a customer is the company’s, in its colour; one to the team is Parley’s', () => {
  const html = (name: string) => renderHtml(new Map(sampleMails('en')).get(name)!)
  expect(html('reply')).toMatch(/#2f5d46.*>Continue on the website</)
  expect(html('reply')).toContain('>Lumen &amp; Oak<')
  expect(html('new message')).toContain('>Parley<')
  expect(html('new message')).not.toContain('#2f5d46')
})

test('a Vietnamese letter shares no sentence with the English one', () => {
  const texts = (language: 'en' | 'vi') =>
    sampleMails(language).flatMap(([, { subject, parts }]) => [
      subject,
      ...parts.flatMap((part) => (part.type === 'text' ? part.text : part.type === 'button' ? part.label : [])),
    ])
  const english = new Set(texts('en'))
  expect(texts('vi').filter((sentence) => english.has(sentence))).toEqual([])
})

test('the gallery shows them all', () => {
  expect(mailGallery().match(/<iframe/g)).toHaveLength(letters.length)
})
