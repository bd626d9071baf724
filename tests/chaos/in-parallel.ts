/** Does `count` pieces of work, some of them at once, each by its number. */
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
