/** Runs `count` tasks by number, a few of them at a time. */
export async function inParallel(
  workers: number,
  count: number,
  work: (number: number) => Promise<void>,
): Promise<void> {
  let next = 0
  const worker = async () => {
    while (next < count) await work(next++)
  }
  await Promise.all(Array.from({ length: workers }, worker))
}
