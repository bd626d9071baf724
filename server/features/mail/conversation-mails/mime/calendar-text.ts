const LINES_LIMIT = 5_000
const EVENTS_LIMIT = 5

/**
 * An entry of a calendar in words: what, when, where, who invites. Undefined if there is none. Recurring entries say only
 * when they begin.
 */
export function readCalendar(text: string): string | undefined {
  const lines = text
    .replace(/\r?\n[ \t]/g, '')
    .split(/\r?\n/, LINES_LIMIT)
    .map(readLine)
  const method = lines.find(({ name }) => name === 'METHOD')?.value.toUpperCase()
  const events = cutEvents(lines)
  if (events.length === 0) return undefined
  return events.map((event) => describe(event, method)).join('\n\n')
}

interface Line {
  name: string
  parameters: string
  value: string
}

function readLine(line: string): Line {
  const [, name = '', parameters = '', value = ''] =
    /^([A-Za-z-]+)((?:;(?:"[^"]*"|[^":])*)?):(.*)$/.exec(line.slice(0, 5_000)) ?? []
  return { name: name.toUpperCase(), parameters, value: value.trim() }
}

/** The lines of each event or task, without those of its alarms. */
function cutEvents(lines: Line[]): Line[][] {
  const events: Line[][] = []
  let inner = 0
  let event: Line[] | undefined
  for (const line of lines) {
    const isBegin = line.name === 'BEGIN'
    if (isBegin && /^V(?:EVENT|TODO)$/i.test(line.value)) event = []
    else if (event && isBegin) inner++
    else if (event && line.name === 'END' && inner > 0) inner--
    else if (event && line.name === 'END') {
      if (events.length < EVENTS_LIMIT) events.push(event)
      event = undefined
    } else if (inner === 0) event?.push(line)
  }
  return event ? [...events, event] : events
}

const KINDS: Record<string, string> = { CANCEL: 'Cancelled', REPLY: 'Answer', COUNTER: 'Proposal' }
const ANSWERS: Record<string, string> = { ACCEPTED: 'accepts', DECLINED: 'declines', TENTATIVE: 'may come' }

function describe(event: Line[], method: string | undefined): string {
  const find = (name: string) => event.find((line) => line.name === name && line.value)
  const text = (name: string) => unescapeText(find(name)?.value ?? '')
  const [start, end] = [readTime(find('DTSTART')), readTime(find('DTEND') ?? find('DUE'))]
  const attendee = method === 'REPLY' ? find('ATTENDEE') : undefined
  const answer = /PARTSTAT=([A-Z-]+)/i.exec(attendee?.parameters ?? '')?.[1]?.toUpperCase() ?? ''
  const head = [
    `${KINDS[method ?? ''] ?? 'Invitation'}: ${text('SUMMARY') || 'no title'}`,
    attendee && `${nameOf(attendee)} ${ANSWERS[answer] ?? 'has answered'}`,
    (start || end) && `When: ${[start, end].filter(Boolean).join(' – ')}${find('RRULE') ? ', repeated' : ''}`,
    text('LOCATION') && `Where: ${text('LOCATION')}`,
    find('ORGANIZER') && method !== 'REPLY' && `From: ${nameOf(find('ORGANIZER')!)}`,
  ]
  const description = text('DESCRIPTION').trim()
  return `${head.filter(Boolean).join('\n')}${description ? `\n\n${description}` : ''}`
}

function nameOf({ parameters, value }: Line): string {
  const address = value.replace(/^mailto:/i, '')
  const [, quoted, plain] = /;CN=(?:"([^"]*)"|([^;:]*))/i.exec(parameters) ?? []
  const name = quoted ?? plain
  return name && name !== address ? `${name} (${address})` : address
}

const MONTHS = 'January February March April May June July August September October November December'.split(' ')

/** `20261008T120000Z` as `8 October 2026, 12:00 UTC`; a time of a zone with its name. */
function readTime(line: Line | undefined): string {
  const [, year, month, day, hours, minutes, utc] =
    /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)\d*(Z?))?/.exec(line?.value ?? '') ?? []
  if (!line || !day) return ''
  const date = `${Number(day)} ${MONTHS[Number(month) - 1] ?? month} ${year}`
  const [, zone] = /;TZID="?([^";:]+)/i.exec(line.parameters) ?? []
  return hours ? [`${date}, ${hours}:${minutes}`, utc ? 'UTC' : zone && `(${zone})`].filter(Boolean).join(' ') : date
}

function unescapeText(value: string): string {
  return value.replace(/\\([nN,;\\])/g, (_, char: string) => (char.toLowerCase() === 'n' ? '\n' : char))
}
