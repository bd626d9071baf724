import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readConfig } from '#server/config.ts'
import { freshDatabase } from './support/database.ts'
import type { Json } from './support/server.ts'
import { freePort, ServerProcess } from './support/server-process.ts'

interface Span {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  attributes: { key: string; value: Json }[]
}

/** A collector that receives traces by OTLP over HTTP. */
async function startCollector() {
  const spans: Span[] = []
  const resources: Json[] = []
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const piece of request) text += piece
    if (request.url === '/v1/traces') {
      for (const { resource, scopeSpans } of JSON.parse(text).resourceSpans) {
        resources.push(resource)
        for (const scope of scopeSpans) spans.push(...scope.spans)
      }
    }
    response.setHeader('content-type', 'application/json').end('{}')
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  onTestFinished(() => void server.close())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, spans, resources }
}

async function startTracedServer(collector: string) {
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-traces-'))
  const { connection, drop } = await freshDatabase()
  const server = new ServerProcess(await freePort(), dataDir, {
    TEST_DATABASE: JSON.stringify(connection),
    OTEL_EXPORTER_OTLP_ENDPOINT: collector,
    OTEL_SERVICE_NAME: 'support',
  })
  onTestFinished(async () => {
    await server.stop()
    await drop()
    await rm(dataDir, { recursive: true, force: true })
  })
  return { server, ...(await server.start()) }
}

test('a call, its statements and its jobs are one trace, without texts of people', async () => {
  const collector = await startCollector()
  const { url, server } = await startTracedServer(collector.url)
  const post = async (path: string, body: object, token = '') => {
    const headers = { 'content-type': 'application/json', authorization: token }
    const answer = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })
    return { id: answer.headers.get('x-request-id')!, status: answer.status, ...((await answer.json()) as Json) }
  }
  const password = 'correct horse battery'
  const user = { company_name: 'Acme', email: 'ada@acme.test', password, password_confirmation: password }
  const registered = await post('/api/registration', { user })
  const { status, id } = await post('/api/reset_password', { email: 'ada@acme.test' })
  expect(registered.status).toBe(200)
  expect(status).toBeLessThan(300)
  // Flushes the batch being collected.
  await server.stop()

  const trace = collector.spans.filter(({ traceId }) => traceId === id.replaceAll('-', ''))
  const call = trace.find(({ name }) => name === 'POST /api/reset_password')!
  expect(call.attributes).toContainEqual({ key: 'http.response.status_code', value: { intValue: status } })
  expect(
    trace.filter(({ name, parentSpanId }) => name === 'insert' && parentSpanId === call.spanId).length,
  ).toBeGreaterThan(0)
  expect(trace.map(({ name }) => name)).toContain('mails.send')
  expect(JSON.stringify(collector.resources)).toContain('"support"')
  expect(JSON.stringify(collector.spans)).not.toMatch(/ada@acme|Acme/)
})

test('without a collector, or if it is switched off, nothing is traced', () => {
  const shareOf = (env: Record<string, string>) => readConfig(env).tracedShare
  const OTEL_EXPORTER_OTLP_ENDPOINT = 'http://localhost:4318'
  expect(shareOf({})).toBeUndefined()
  expect(shareOf({ OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_SDK_DISABLED: 'true' })).toBeUndefined()
  expect(shareOf({ OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_TRACES_EXPORTER: 'none' })).toBeUndefined()
  expect(shareOf({ OTEL_EXPORTER_OTLP_ENDPOINT })).toBe(1)
  expect(shareOf({ OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_TRACES_SAMPLER: 'always_off' })).toBe(0)
  const tenth = { OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.1' }
  expect(shareOf({ OTEL_EXPORTER_OTLP_ENDPOINT, ...tenth })).toBe(0.1)
})
