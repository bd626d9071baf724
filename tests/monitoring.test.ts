import { readFileSync } from 'node:fs'
import { expect, test } from './support/fixture.ts'

const read = (file: string) => readFileSync(new URL(`../deploy/${file}`, import.meta.url), 'utf8')
/** The series of a histogram have further names. */
const familyOf = (name: string) => name.replace(/^(parley_http_request_seconds)_(bucket|count|sum)$/, '$1')
/** Only exposed once a backup was made. */
const LATER = ['parley_backup_age_seconds']

test('every metric that alerts and the Grafana dashboard use exists', async ({ server }) => {
  const { body } = await server.request('GET', '/metrics')
  const exported = new Set([...String(body).matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name))
  for (const file of ['prometheus/alerts.yml', 'grafana/parley.json']) {
    const used = new Set([...read(file).matchAll(/\b(?:parley|process|nodejs)_\w+/g)].map(([name]) => familyOf(name)))
    expect(used.size, file).toBeGreaterThan(15)
    expect(
      [...used].filter((name) => !exported.has(name) && !LATER.includes(name)),
      file,
    ).toEqual([])
  }
})

test('each alert is in the rules’ own test, and says what to do', () => {
  const alerts = [...read('prometheus/alerts.yml').matchAll(/- alert: (\w+)([\s\S]*?)(?=- alert:|- name:|$)/g)]
  expect(alerts.length).toBeGreaterThan(20)
  const tested = read('prometheus/alerts.test.yml')
  for (const [, name, text] of alerts) {
    expect(tested, name).toContain(`alertname="${name}"`)
    expect(text, name).toMatch(/severity: (page|ticket)[\s\S]*summary: .+[\s\S]*description: .+/)
  }
})
