import sharp from 'sharp'

/** A file that somebody of the seeded company sends. */
export interface SeedFile {
  bytes: Buffer
  content_type: string
  width: number | null
  height: number | null
}

const WIDTH = 960
const HEIGHT = 720
const BOX = `width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}" xmlns="http://www.w3.org/2000/svg"`

/** A room: a wall, a floor, and what stands in it. */
const room = (wall: string, floor: string, things: string) =>
  `<svg ${BOX}><rect width="960" height="720" fill="${wall}"/><rect y="520" width="960" height="200" fill="${floor}"/>${things}</svg>`

const lamp = (x: number) =>
  `<g transform="translate(${x} 150)"><path d="M60 0h100l50 120H10z" fill="#f3d9a4"/><path d="M10 120h200" stroke="#c99b4a" stroke-width="6"/>
   <path d="M110 120v330" stroke="#5b4632" stroke-width="14"/><ellipse cx="110" cy="452" rx="80" ry="16" fill="#5b4632"/></g>`

const PICTURES: Record<string, string> = {
  'scratch.jpg': room(
    '#e9e4dc',
    '#b98d5f',
    `<rect x="130" y="170" width="700" height="420" rx="14" fill="#c79a68"/><path d="M130 300h700M130 440h700" stroke="#b58654" stroke-width="5"/>
     <path d="M210 250l96 130 26-14 40 92" stroke="#f4e7d3" stroke-width="9" fill="none"/>`,
  ),
  'corner.jpg': room(
    '#dfe5e0',
    '#a8794d',
    `<path d="M520 0v520" stroke="#cbd3cd" stroke-width="10"/><rect x="90" y="90" width="260" height="230" fill="#bcd5e6" stroke="#fff" stroke-width="18"/>
     <rect x="600" y="330" width="280" height="250" rx="30" fill="#6f8a72"/>${lamp(380)}`,
  ),
  'shelf.jpg': room(
    '#efe9e1',
    '#9c7650',
    `<g transform="rotate(-7 480 330)"><rect x="210" y="180" width="540" height="26" fill="#a87b4d"/><rect x="210" y="330" width="540" height="26" fill="#a87b4d"/>
     <rect x="250" y="206" width="22" height="124" fill="#8d6640"/><rect x="690" y="206" width="22" height="124" fill="#8d6640"/>
     <rect x="310" y="226" width="40" height="104" fill="#3f6d7a"/><rect x="354" y="240" width="34" height="90" fill="#b8503f"/><rect x="392" y="216" width="46" height="114" fill="#d9b44a"/></g>`,
  ),
  'box.jpg': room(
    '#d8d4cf',
    '#8b8378',
    `<path d="M220 250l260-70 260 70v300l-260 80-260-80z" fill="#c69c6d"/><path d="M220 250l260 80 260-80M480 330v300" stroke="#a67f53" stroke-width="6" fill="none"/>
     <path d="M640 380l80 60-50 90-90-40z" fill="#8f6b44"/><path d="M430 195l110 130" stroke="#e4d2b5" stroke-width="34"/>`,
  ),
  'bulb.jpg': room(
    '#e6ebef',
    '#c9b18f',
    `<circle cx="470" cy="300" r="150" fill="#fdf6dd" stroke="#c8bfa5" stroke-width="6"/><rect x="415" y="440" width="110" height="110" rx="12" fill="#9aa0a6"/>
     <path d="M395 190l60 70-40 60 90 50-20 70" stroke="#56606a" stroke-width="8" fill="none"/>`,
  ),
  'dimmer.jpg': room(
    '#f1efe9',
    '#d6d0c4',
    `<rect x="330" y="130" width="300" height="300" rx="26" fill="#fff" stroke="#d5d5d5" stroke-width="6"/><circle cx="480" cy="280" r="84" fill="#ececec" stroke="#c8c8c8" stroke-width="6"/>
     <path d="M480 280l44-58" stroke="#6b6b6b" stroke-width="12"/>`,
  ),
}

const DOCUMENTS: Record<string, string[]> = {
  'invoice.pdf': [
    'INVOICE',
    '',
    'Lumen & Oak Ltd',
    '27 Harbour Road, Bristol',
    '',
    '1 x Oak reading lamp      149.00',
    'VAT 20%                     29.80',
    'Total                      178.80',
  ],
  'offer.pdf': [
    'OFFER',
    '',
    'Oak reading lamp, 20 pieces, in oak',
    'Trade price 119.20 each',
    '',
    'Delivery in two parts, free of charge',
    'Valid for 30 days',
  ],
  'return-label.pdf': [
    'RETURN LABEL',
    '',
    'Lumen & Oak Returns',
    'Unit 4, Canal Street',
    'Leeds',
    '',
    'Stick it onto the box, over the old label.',
  ],
}

/** The files that the texts of the company name. */
export async function drawFiles(): Promise<Map<string, SeedFile>> {
  const files = new Map<string, SeedFile>()
  for (const [name, svg] of Object.entries(PICTURES)) {
    const bytes = await sharp(Buffer.from(svg)).jpeg({ quality: 82 }).toBuffer()
    files.set(name, { bytes, content_type: 'image/jpeg', width: WIDTH, height: HEIGHT })
  }
  for (const [name, lines] of Object.entries(DOCUMENTS)) {
    files.set(name, { bytes: writePdf(lines), content_type: 'application/pdf', width: null, height: null })
  }
  return files
}

/** A PDF of one page with lines of plain text. */
function writePdf(lines: string[]): Buffer {
  const text = lines.map((line) => `(${line.replace(/[()\\]/g, '\\$&')}) Tj T*`).join('\n')
  const content = `BT /F1 14 Tf 60 760 Td 20 TL\n${text}\nET`
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 4 0 R >> >> /Contents 5 0 R >>',
    '<< /Type /Font /Subtype /Type1 /BaseFont /Courier >>',
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
  ]
  let pdf = '%PDF-1.4\n'
  const offsets = objects.map((object, i) => {
    const offset = pdf.length
    pdf += `${i + 1} 0 obj\n${object}\nendobj\n`
    return String(offset).padStart(10, '0')
  })
  const start = pdf.length
  const table = offsets.map((offset) => `${offset} 00000 n \n`).join('')
  return Buffer.from(
    `${pdf}xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}trailer << /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`,
    'latin1',
  )
}
