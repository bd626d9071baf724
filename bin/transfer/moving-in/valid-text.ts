import { isUtf8 } from 'node:buffer'
import { Transform } from 'node:stream'

const LINE_FEED = 10

/**
 * Replaces what is no UTF-8, which databases without an encoding may hold. It works on rows in the text format of COPY,
 * where each is a line.
 * @param onRepair called with the number of rows that were changed
 */
export function validText(onRepair: (rows: number) => void): Transform {
  let remaining = Buffer.alloc(0)
  const repaired = (block: Buffer): Buffer => {
    if (isUtf8(block)) return block
    const lines: Buffer[] = []
    for (let start = 0; start < block.length; ) {
      const at = block.indexOf(LINE_FEED, start)
      const end = at < 0 ? block.length : at + 1
      const line = block.subarray(start, end)
      const isValid = isUtf8(line)
      if (!isValid) onRepair(1)
      lines.push(isValid ? line : Buffer.from(line.toString('utf8')))
      start = end
    }
    return Buffer.concat(lines)
  }
  return new Transform({
    transform(piece: Buffer, _encoding, done) {
      const end = piece.lastIndexOf(LINE_FEED) + 1
      if (end === 0) {
        remaining = Buffer.concat([remaining, piece])
        return done()
      }
      const block = Buffer.concat([remaining, piece.subarray(0, end)])
      remaining = Buffer.from(piece.subarray(end))
      done(null, repaired(block))
    },
    flush(done) {
      done(null, repaired(remaining))
    },
  })
}
