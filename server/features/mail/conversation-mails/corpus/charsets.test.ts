import { expect, test } from 'vitest'
import { bytesOf, mail, read } from './reading.ts'

const text = (charset: string) => `Content-Type: text/plain; charset=${charset}\nContent-Transfer-Encoding: 8bit`
const raw = (...bytes: number[]) => String.fromCharCode(...bytes)
const HEX: Record<string, [headers: string, hex: string, text: string]> = {
  'ISO-2022-JP without a label': ['Content-Type: text/plain', '1b2442454545741b2842203132', '電灯 12'],
  'ISO-2022-JP under the label of Latin-1': [text('iso-8859-1'), '1b2442454545741b2842', '電灯'],
  'ISO-2022-JP without any content type': ['X-Mailer: old', '1b2442454545741b2842', '電灯'],
  'ISO-2022-KR': [text('iso-2022-kr'), '1b2429430e413648380f203132', '조회 12'],
  'ISO-2022-KR without a label': ['Content-Type: text/plain', '1b2429430e413648380f', '조회'],
  HZ: [text('hz-gb-2312'), '7e7b354637397e7d203132', '灯饭 12'],
  'Shift_JIS of Windows': [text('x-sjis-cp932'), '8740', '①'],
  'EUC-KR by its name in Windows': [text('cp949'), 'c0fcb1b8', '전구'],
  'Chinese under the name of the smaller charset': [text('gb_2312-80'), 'b5c686b4', '灯喆'],
  'Big5 by its number': [text('cp950'), 'bf4f', '燈'],
  'DOS, western': [text('ibm850'), '4c616d7065206b617081747421', 'Lampe kapütt!'],
  'DOS, central European': [text('cp852'), 'a7d88ba5', 'žěőą'],
  'DOS, Russian': [text('cp866'), 'aba0acafa0', 'лампа'],
  'Mac, western': [text('x-mac-roman'), '9f8a', 'üä'],
  'Mac, central European': [text('x-mac-ce'), '8e', 'é'],
  'Thai by the name of its standard': [text('iso-8859-11'), 'e2a4c1', 'โคม'],
  'Vietnamese of Windows': [text('cp1258'), 'd065cc6e', 'Đèn'],
  'UTF-7': [text('unicode-1-1-utf-7'), bytesHex('Gr+APwA3w-e'), 'Grüße'],
  'UTF-16 by a label, in seven bits': [text('utf-16'), bytesHex('Lamp 12'), 'Lamp 12'],
  'UTF-16 without a mark': [`${text('utf-16')}`, '4c0061006d007000', 'Lamp'],
  'UTF-8 under the label ASCII': [text('us-ascii'), bytesHex('Grüße'), 'Grüße'],
  'UTF-8 under the label Latin-1': [text('iso-8859-1'), bytesHex('Grüße – 5 €'), 'Grüße – 5 €'],
  'UTF-8 under a made-up label': [text('my-own-charset'), bytesHex('Grüße'), 'Grüße'],
  'UTF-8 under "binary"': [text('binary'), bytesHex('Grüße'), 'Grüße'],
  'UTF-8 under a label for users': [text('x-user-defined'), bytesHex('Grüße'), 'Grüße'],
  'UTF-8 by a label with apostrophes': ["Content-Type: text/plain; charset='utf-8'", bytesHex('Grüße'), 'Grüße'],
  'UTF-8 by a label with an underscore': [text('utf_8'), bytesHex('Grüße'), 'Grüße'],
  'Latin-1 without a label': ['Content-Type: text/plain', '4772fcdf65', 'Grüße'],
  'Latin-1 without MIME': ['X-Mailer: old', '4772fcdf65', 'Grüße'],
  'Latin-1 under the label UTF-8': [text('utf-8'), '4772fcdf65', 'Grüße'],
  'Latin-1 and UTF-8 in one text': [text('utf-8'), '4772fc20c3bc', 'Grü ü'],
  'Windows under the label Latin-1': [text('iso-8859-1'), '934772fcdf659420802035', '“Grüße” € 5'],
}

function bytesHex(value: string): string {
  return Buffer.from(value).toString('hex')
}

test.for(Object.entries(HEX))('a text in %s is readable', async ([, [headers, hex, meant]]) => {
  const reading = await read(mail(Buffer.from(hex, 'hex').toString('latin1'), headers))
  expect(reading).toMatchObject({ text: meant.normalize('NFC'), verdict: 'person' })
})

const HEADERS: Record<string, [value: string, meant: string]> = {
  'raw UTF-8': [bytesOf('Lampe für Grüße'), 'Lampe für Grüße'],
  'raw Latin-1': [`Lampe f${raw(0xfc)}r Gr${raw(0xfc, 0xdf)}e`, 'Lampe für Grüße'],
  'a raw byte inside an encoded word': [`=?iso-8859-1?Q?Gr${raw(0xfc)}=DFe_12?=`, 'Grüße 12'],
  'a word labelled UTF-8 in Latin-1': ['=?utf-8?Q?Gr=FC=DFe?=', 'Grüße'],
  'a character split between two words': ['=?utf-8?Q?Gr=C3?= =?utf-8?Q?=BC=C3=9Fe?=', 'Grüße'],
  'a word with a language': ['=?iso-8859-1*de?Q?Gr=FC=DFe?=', 'Grüße'],
  'a word of an unknown charset in UTF-8': ['=?x-unknown?B?R3LDvMOfZQ==?=', 'Grüße'],
  'two words of Japanese': ['=?ISO-2022-JP?B?GyRCRUVFdBsoQg==?= =?ISO-2022-JP?B?GyRCRUVFdBsoQg==?=', '電灯電灯'],
  'spaces inside a word': ['=?utf-8?Q?Gr=C3=BC=C3=9Fe an alle?=', 'Grüße an alle'],
}

test.for(Object.entries(HEADERS))('a subject with %s is readable', async ([, [value, meant]]) => {
  const head = `From: Ines <ines@home.test>\nTo: help@lamps.test\nSubject: ${value}`
  expect(await read(mail('x', '', head))).toMatchObject({ subject: meant })
})
