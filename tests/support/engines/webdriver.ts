/** A driver that hangs must be named by the story, before that times out itself. */
const COMMAND_MS = 60_000

/** Sends a command of the classic WebDriver protocol, and returns its value. Throws what the driver refuses. */
export type WebDriverCall = <R>(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object) => Promise<R>

/** For paths below a URL, such as that of a session. */
export function callWebDriver(url: string): WebDriverCall {
  return async <R>(method: string, path: string, body?: object) => {
    const signal = AbortSignal.timeout(COMMAND_MS)
    const answer = await fetch(url + path, { method, signal, ...(body && { body: JSON.stringify(body) }) }).catch(
      (error: unknown) => {
        throw new Error(`The driver does not answer ${method} ${path}.`, { cause: error })
      },
    )
    const { value } = (await answer.json()) as { value: { error: string; message: string } }
    if (!answer.ok) throw new Error(`${value.error}: ${value.message}`)
    return value as R
  }
}

/** Waits until a driver that was started answers. */
export async function waitForDriver(url: string): Promise<void> {
  const end = Date.now() + COMMAND_MS
  while (!(await fetch(`${url}/status`).catch(() => undefined))?.ok) {
    if (Date.now() > end) throw new Error('The driver does not start.')
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
