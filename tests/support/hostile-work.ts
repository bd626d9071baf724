/** What a stranger's input might make a library do in a worker process. */
export type HostileInput =
  | { kind: 'spin' }
  | { kind: 'eat objects' }
  | { kind: 'eat buffers' }
  | { kind: 'throw' }
  | { kind: 'rest'; ms: number }
  | { kind: 'say'; text: string }

/** Runs in a worker process. */
export async function work(input: HostileInput): Promise<string | number> {
  if (input.kind === 'say') return input.text
  if (input.kind === 'throw') throw new RangeError('Too deep.')
  if (input.kind === 'rest') await new Promise((resolve) => setTimeout(resolve, input.ms))
  const kept: unknown[] = []
  while (input.kind === 'spin' || input.kind.startsWith('eat')) {
    if (input.kind === 'eat objects') kept.push({ at: kept.length, text: `object ${kept.length}` })
    if (input.kind === 'eat buffers') kept.push(Buffer.alloc(10_000_000, 1))
  }
  return process.pid
}
