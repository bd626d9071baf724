import { expect, test } from 'vitest'
import { bytesOf, mail, parts, read } from './reading.ts'

const ID = '<0b1c7a52-2d5b-4f0a-8f43-5a9d1f0c2b7e@lamps.test>'
const OURS = `From: help@lamps.test\nTo: ines@home.test\nSubject: Re: Lamp 12\nMessage-ID: ${ID}\n\nIt is on its way.`
const TEXT = 'Content-Type: text/plain; charset=utf-8'

const head = (from: string, subject: string, others = '') =>
  `${others}${others && '\n'}From: ${from}\nTo: help@lamps.test\nSubject: ${subject}`
const plain = (from: string, subject: string, body: string, others = '') =>
  mail(bytesOf(body), TEXT, head(from, subject, others))

const status = (...fields: string[]) =>
  `Content-Type: message/delivery-status\n\nReporting-MTA: dns; mx.test\n\n${fields.join('\n')}`
const returned = `Content-Type: message/rfc822\n\n${OURS}`
function report(fields: string[], text = 'Your mail was not delivered.', from = 'MAILER-DAEMON@mx.test') {
  const [body, headers] = parts('report', `${TEXT}\n\n${text}`, status(...fields), returned)
  return mail(body, headers.replace(';', '; report-type=delivery-status;'), head(from, 'Report'))
}

interface Meant {
  recipient?: string | null
  reason?: string | RegExp
  status?: string
  isFinal?: boolean
}

const FAILED = { recipient: 'ines@home.test', isFinal: true }
const RECIPIENT = 'Final-Recipient: rfc822; ines@home.test'
const BOUNCES: Record<string, [raw: Buffer, meant: Meant]> = {
  'a report with all fields': [
    report([RECIPIENT, 'Action: failed', 'Status: 5.1.1', 'Diagnostic-Code: smtp; 550 5.1.1 nobody here']),
    { ...FAILED, status: '5.1.1', reason: '550 5.1.1 nobody here' },
  ],
  'a report of which the first recipient was reached': [
    report([
      'Final-Recipient: rfc822; jon@home.test',
      'Action: relayed',
      'Status: 2.0.0',
      '',
      RECIPIENT,
      'Action: failed',
      'Status: 5.2.2',
    ]),
    { ...FAILED, status: '5.2.2' },
  ],
  'a report without recipient': [report(['Action: failed', 'Status: 5.0.0']), { ...FAILED, status: '5.0.0' }],
  'a report without action, of a server that gave up': [
    report([RECIPIENT, 'Status: 4.4.1'], 'I am not going to try again; this mail has been in the queue too long.'),
    { ...FAILED, status: '4.4.1' },
  ],
  'a report of a failure with a code for later': [report([RECIPIENT, 'Action: failed', 'Status: 4.4.7']), FAILED],
  'a report of a delay': [report([RECIPIENT, 'Action: delayed', 'Status: 4.4.1']), { ...FAILED, isFinal: false }],
  'a report with the recipient in brackets and upper case': [
    report(['Final-Recipient: RFC822; <INES@Home.test>', 'Action: Failed']),
    FAILED,
  ],
  'a report with an original recipient alone': [
    report(['Original-Recipient: rfc822;ines@home.test', 'Action: failed (bad address)']),
    FAILED,
  ],
  'a report from a person-like address': [
    report([RECIPIENT, 'Action: failed'], 'x', 'Mail Team <team@mx.test>'),
    FAILED,
  ],
  'Sendmail’s transcript': [
    plain(
      'Mail Delivery Subsystem <MAILER-DAEMON@mx.test>',
      'Returned mail: see transcript for details',
      `   ----- The following addresses had permanent fatal errors -----\n<ines@home.test>\n    (reason: 550 5.1.1 <ines@home.test>... User unknown)\n\n   ----- Transcript of session follows -----\n... while talking to mx.home.test.:\n\n   ----- Original message follows -----\n\nMessage-ID: ${ID}`,
    ),
    { ...FAILED, status: '5.1.1', reason: /550 5\.1\.1 .*User unknown/ },
  ],
  'qmail’s letter': [
    plain(
      'MAILER-DAEMON@mx.test',
      'failure notice',
      `Hi. This is the qmail-send program at mx.test.\n\n<ines@home.test>:\nSorry, no mailbox here by that name. (#5.1.1)\n\n--- Below this line is a copy of the message.\n\nReturn-Path: <help@lamps.test>\nMessage-ID: ${ID}\n`,
    ),
    { ...FAILED, reason: 'Sorry, no mailbox here by that name. (#5.1.1)' },
  ],
  'Exim’s letter for an unknown local person': [
    plain(
      'Mail Delivery System <Mailer-Daemon@mx.test>',
      'Mail delivery failed: returning message to sender',
      `This message was created automatically by mail delivery software.\n\nA message that you sent could not be delivered:\n\n  ines@home.test\n    Unrouteable address\n\n------ This is a copy of the message, including all the headers. ------\n\nMessage-Id: ${ID}`,
    ),
    { ...FAILED, reason: 'Unrouteable address' },
  ],
  'Postfix’s letter without parts': [
    plain(
      'MAILER-DAEMON@mx.test (Mail Delivery System)',
      'Undelivered Mail Returned to Sender',
      `This is the mail system at host mx.test.\n\n<ines@home.test>: host mx.home.test[192.0.2.1] said: 552 5.2.2 mailbox full (in reply to RCPT TO command)\n\nMessage-ID: ${ID}`,
    ),
    { ...FAILED, status: '5.2.2', reason: /552 5\.2\.2 mailbox full/ },
  ],
  'the letter of a small mail agent': [
    plain(
      'MAILER-DAEMON <>',
      'Mail delivery failed',
      `This is the agent at mx.test.\n\nines@home.test\nmx.home.test did not like our RCPT TO:\n550 unknown user\n\nMessage headers follow.\n\nMessage-ID: ${ID}`,
      'Return-Path: <>',
    ),
    { ...FAILED, reason: '550 unknown user' },
  ],
  'Exchange’s letter': [
    plain(
      'System Administrator <postmaster@mx.test>',
      'Undeliverable: Re: Lamp 12',
      `Your message\n\n  To:      ines@home.test\n  Subject: Re: Lamp 12\n\ndid not reach the following recipient(s):\n\nines@home.test on Mon, 5 Oct 2026\n    The recipient name is not recognized\n\nMessage-ID: ${ID}`,
    ),
    FAILED,
  ],
  'Domino’s letter': [
    plain(
      'Postmaster@mx.test',
      'DELIVERY FAILURE: User ines (ines@home.test) not listed in Domino Directory',
      `Your message\n\n  Subject: Re: Lamp 12\n\nwas not delivered to:\n\n  ines@home.test\n\nbecause:\n\n  User ines (ines@home.test) not listed in Domino Directory\n\nMessage-ID: ${ID}`,
    ),
    FAILED,
  ],
  'Yahoo’s letter': [
    plain(
      'MAILER-DAEMON@mail.test',
      'Failure Notice',
      `Sorry, we were unable to deliver your message to the following address.\n\n<ines@home.test>:\n554: delivery error: dd This user doesn't have an account\n\n--- Below this line is a copy of the message.\n\nMessage-ID: ${ID}`,
    ),
    FAILED,
  ],
  'Gmail’s letter of a delay': [
    plain(
      'Mail Delivery Subsystem <mailer-daemon@mx.test>',
      'Delivery Status Notification (Delay)',
      `Delivery incomplete. There was a temporary problem delivering your message to ines@home.test. We will retry for 46 more hours.\n\nMessage-ID: ${ID}`,
    ),
    { recipient: 'ines@home.test', isFinal: false },
  ],
  'a warning that is only a warning': [
    plain(
      'Mail Delivery Subsystem <MAILER-DAEMON@mx.test>',
      'Warning: could not send message for past 4 hours',
      `    ** THIS IS A WARNING MESSAGE ONLY **\n    ** YOU DO NOT NEED TO RESEND YOUR MESSAGE **\n\nines@home.test... Deferred: connection refused\n\nMessage-ID: ${ID}`,
    ),
    { recipient: 'ines@home.test', isFinal: false },
  ],
  'the letter of a filter': [
    plain(
      'Mail Gateway <mail-gateway@mx.test>',
      'Message delivery has failed',
      `The gateway could not deliver your message to <ines@home.test>.\nThe server said: 554 5.7.1 refused by policy\n\nMessage-ID: ${ID}`,
    ),
    { ...FAILED, status: '5.7.1' },
  ],
  'the letter of a Japanese carrier': [
    plain(
      'Postmaster@phone.test',
      'Mail System Error - Returned Mail',
      `The user(s) account is temporarily over quota.\n\n<ines@home.test>\n\n------- The original message --------\n\nMessage-ID: ${ID}`,
    ),
    FAILED,
  ],
  'a letter in Japanese': [
    plain(
      'MAILER-DAEMON@phone.test',
      '=?utf-8?B?44Oh44O844Or44Ko44Op44O8?=',
      `次の宛先にメールを届けできませんでした。\n<ines@home.test>\n\nMessage-ID: ${ID}`,
    ),
    FAILED,
  ],
  'a letter in German': [
    plain(
      'Postmaster <postmaster@mx.test>',
      'Unzustellbar: Re: Lamp 12',
      `Die Nachricht konnte nicht zugestellt werden:\n\nines@home.test\nDer Empfänger ist unbekannt.\n\nMessage-ID: ${ID}`,
      'Return-Path: <>',
    ),
    FAILED,
  ],
  'a letter in French': [
    plain(
      'postmaster@mx.test',
      'Non remis : Re: Lamp 12',
      `Votre message n'a pas pu être délivré à ines@home.test\n\nMessage-ID: ${ID}`,
      'Return-Path: <>',
    ),
    FAILED,
  ],
  'a letter in HTML': [
    mail(
      `<p>Your message to <b>ines@home.test</b> could not be delivered.</p><p>550 5.1.1 no such user</p><p>Message-ID: ${ID.replace('<', '&lt;').replace('>', '&gt;')}</p>`,
      'Content-Type: text/html',
      head('MAILER-DAEMON@mx.test', 'Undelivered Mail Returned to Sender', 'Return-Path: <MAILER-DAEMON>'),
    ),
    { ...FAILED, status: '5.1.1', reason: '550 5.1.1 no such user' },
  ],
  'a letter of a list, marked bulk': [
    plain(
      'Mail Delivery System <MAILER-DAEMON@mx.test>',
      'Undeliverable mail',
      `Could not be delivered to:\n<ines@home.test>\n550 5.1.1 unknown\n\nMessage-ID: ${ID}`,
      'Precedence: bulk\nList-Id: <x.test>',
    ),
    FAILED,
  ],
  'a letter of a daemon without domain': [
    plain('MAILER-DAEMON', 'Delivery failure', `ines@home.test: user unknown\n\nMessage-ID: ${ID}`),
    FAILED,
  ],
  'a letter of nobody': [plain('<>', 'Delivery failure', `ines@home.test: user unknown\n\nMessage-ID: ${ID}`), FAILED],
  'our mail attached to a few words in another language': [attachedOurs(), { recipient: 'ines@home.test' }],
}

function attachedOurs(): Buffer {
  const [body, headers] = parts('mixed', `${TEXT}\n\n${bytesOf('Postilaatikko ines@home.test on täynnä.')}`, returned)
  return mail(body, headers, head('noreply@phone.test', 'Ilmoitus'))
}

test.for(Object.entries(BOUNCES))('%s is a bounce of the mail that failed', async ([, [raw, meant]]) => {
  const { verdict, report: details } = await read(raw)
  expect(verdict).toBe('bounce')
  const { reason, ...others } = meant
  expect(details).toMatchObject(others)
  if (reason !== undefined) expect(details!.reason).toMatch(reason)
  expect(details!.message_ids).toContain(ID)
})

const PERSON = 'Ines Roth <ines@home.test>'
const PEOPLE: Record<string, Buffer> = {
  'a person who asks about a bounce': plain(
    PERSON,
    'Undeliverable mail?',
    'I got "550 5.1.1 user unknown" for billing@lamps.test. Is it right?',
  ),
  'a person who sends a bounce along': mail(
    ...parts('mixed', `${TEXT}\n\nWhat is this?`, status(RECIPIENT, 'Action: failed')),
  ),
  'a person who forwards a bounce': plain(
    PERSON,
    'Fwd: Undelivered Mail Returned to Sender',
    'See below.\n\n---------- Forwarded message ---------\nFrom: MAILER-DAEMON@mx.test\n\n550 5.1.1 user unknown',
  ),
  'a person at postmaster': plain('Ines <postmaster@home.test>', 'Lamp 12', 'Our lamp is dark. Please call me.'),
  'a carrier of parcels': plain(
    'Parcels <delivery@parcels.test>',
    'Delivery failed',
    'The parcel for lamp 12 could not be delivered to the address.',
  ),
  'a shop that reports a failure': plain(
    'Shop <system@shop.test>',
    'Failure of lamp 12',
    'The lamp failed. The customer could not be reached by phone.',
  ),
}

test.for(Object.entries(PEOPLE))('%s is no bounce', async ([, raw]) => {
  expect(await read(raw)).toMatchObject({ verdict: 'person' })
})
