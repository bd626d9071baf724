/** What a stranger's input might make a library do in a worker process. */
export type HostileInput =
  | { kind: 'spin' }
  | { kind: 'eat objects' }
  | { kind: 'eat buffers' }
  | { kind: 'throw' }
  | { kind: 'grow' }
  | { kind: 'rest'; ms: number }
  | { kind: 'say'; text: string }

/** Runs in a worker process. */
export async function work(input: HostileInput): Promise<string | number> {
  const kept: unknown[] = []
  if (input.kind === 'say') return input.text
  if (input.kind === 'throw') throw new RangeError('Too deep.')
  if (input.kind === 'grow') kept.push(Buffer.alloc(400_000_000, 1))
  if (input.kind === 'rest') await new Promise((resolve) => setTimeout(resolve, input.ms))
  while (input.kind === 'spin' || input.kind.startsWith('eat')) {
    if (input.kind === 'eat objects') kept.push({ at: kept.length, text: `object ${kept.length}` })
    if (input.kind === 'eat buffers') kept.push(Buffer.alloc(10_000_000, 1))
  }
  return process.pid
}
