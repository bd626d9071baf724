import { expect, test } from 'vitest'
import { SERVER_LANGUAGES } from '../../../languages.ts'
import { renderHtml, renderText } from '../mails/mail-templates.ts'
import { mailGallery, sampleMails } from './gallery.ts'

const letters = SERVER_LANGUAGES.flatMap((language) => sampleMails(language))
/** Parts of the examples that people wrote, and no texts of ours. */
const WRITTEN = ['The mail server refused the password.', 'Can your workshop make one like it by Friday?']

test.each(letters)('%s has the same content as text and HTML, and fills every placeholder', (_name, content) => {
  const [text, html] = [renderText(content), renderHtml(content)]
  for (const rendered of [content.subject, text, html]) expect(rendered).not.toMatch(/[{}](?!.*[;:])|undefined/)
  for (const part of content.parts) {
    if (part.type === 'button') for (const rendered of [text, html]) expect(rendered).toContain(part.href)
  }
})

test('texts of customers are escaped in every mail', () => {
  for (const [, content] of letters) expect(renderHtml(content)).not.toContain('<b>oak')
})

test('a mail to a customer has the company’s name and colour; one to the team has Parley’s', () => {
  const html = (name: string) => renderHtml(new Map(sampleMails('en')).get(name)!)
  expect(html('reply')).toMatch(/#2f5d46.*>Continue on the website</)
  expect(html('reply')).toContain('>Lumen &amp; Oak<')
  expect(html('new message')).toContain('>Parley<')
  expect(html('new message')).not.toContain('#2f5d46')
})

test('a mail in another language shares no sentence with the English one', () => {
  const texts = (language: string) =>
    sampleMails(language).flatMap(([, { subject, parts }]) => [
      subject,
      ...parts.flatMap((part) => (part.type === 'text' ? part.text : part.type === 'button' ? part.label : [])),
    ])
  const english = new Set(texts('en'))
  expect(texts('vi').filter((sentence) => english.has(sentence) && !WRITTEN.includes(sentence))).toEqual([])
})

test('the gallery shows them all', () => {
  expect(mailGallery().match(/<iframe/g)).toHaveLength(letters.length)
})
