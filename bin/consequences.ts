import { readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { eventDefinitions } from '#contract/events.ts'
import { features, integrations } from '#server/app.ts'
import type { Feature } from '#server/feature.ts'

/** The generated page of the docs that lists what each event causes. */
export const PAGE = resolve(import.meta.dirname, '../docs/consequences.md')

/** The manifests as a readable page. */
export function describeConsequences(all: Feature[]): string {
  const consumers = all.flatMap((feature) => feature.consumers ?? [])
  const events = eventDefinitions.map(({ type, receivers }) => {
    const following = consumers.filter(({ of }) => of.some((one) => one === type))
    const jobs = following.flatMap((consumer) => consumer.jobs)
    const mails = jobs.flatMap((job) => job.mails ?? [])
    return [
      code(type),
      receivers,
      list(following.map(({ name }) => name)),
      list(jobs.map(({ name }) => name)),
      list(mails),
    ]
  })
  const jobs = all.flatMap(({ name, jobs = [] }) =>
    jobs.map((job) => [
      code(job.name),
      name,
      String(job.tries ?? 11),
      `${job.timeout ?? 300} s`,
      job.key ? 'yes' : '',
      list(job.mails ?? []),
    ]),
  )
  const schedules = all.flatMap(({ name, schedules = [] }) =>
    schedules.map((schedule) => [code(schedule.name), name, code(schedule.cron)]),
  )
  return `# What follows from what

Written by \`npm run consequences\` from the manifests of the features. Do not edit it: a test compares it with them.

## Events

Who receives an event at once, and which consumers of the log read it, with the jobs that they may enqueue and the mails
that those write.

${table(['event', 'received by', 'consumers', 'jobs', 'mails'], events)}

## Jobs

${table(['job', 'feature', 'tries', 'time limit', 'in order by key', 'mails'], jobs)}

## Schedules

Times are cron expressions in UTC.

${table(['schedule', 'feature', 'when'], schedules)}
`
}

const code = (text: string) => `\`${text}\``
const list = (names: readonly string[]) => names.map(code).join(', ')

function table(head: string[], rows: string[][]): string {
  const lines = [head, head.map(() => '---'), ...rows]
  return lines.map((cells) => `| ${cells.join(' | ')} |`.replace(/ {2,}/g, ' ')).join('\n')
}

if (import.meta.main) {
  const page = describeConsequences([...features, ...integrations])
  if (page !== readFileSync(PAGE, { encoding: 'utf8', flag: 'a+' })) writeFileSync(PAGE, page)
}
