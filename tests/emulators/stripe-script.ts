/**
 * Replaces Stripe's script: the card is typed into a frame of another origin, and the page only learns its id.
 * Its consent page is two buttons in that frame.
 */
export function standInScript(origin: string): string {
  return `(() => {
  const origin = ${JSON.stringify(origin)}
  window.Stripe = (key) => ({
    elements: () => ({ create: () => element() }),
    async confirmCardSetup(client_secret, { payment_method: { card } }) {
      return card.request({ client_secret, key })
    },
  })
  function element() {
    const listeners = { ready: [], change: [] }
    const frame = document.createElement('iframe')
    frame.src = origin + '/card'
    frame.title = 'Secure card payment input frame'
    frame.style = 'border:0;width:100%;height:190px'
    let answer
    addEventListener('message', ({ origin: from, data }) => {
      if (from !== origin) return
      if (data.answer) answer?.(data.answer)
      for (const each of listeners[data.event] ?? []) each(data)
    })
    return {
      mount: (place) => void place.append(frame),
      on: (event, listener) => listeners[event]?.push(listener),
      update() {},
      destroy: () => frame.remove(),
      request: (message) => new Promise((resolve) => {
        answer = resolve
        frame.contentWindow.postMessage(message, origin)
      }),
    }
  }
})()`
}

/** The frame with the card's fields. */
export const CARD_FRAME = `<!doctype html><html lang="en"><title>Card</title>
<style>body{margin:0;font:15px system-ui;color:#17222d;background:#fff}label{display:block;margin:4px 0}input{font:inherit;width:12em}</style>
<main><h1 style="font-size:15px;margin:0">Card</h1>
<label>Card number <input id="number" inputmode="numeric" autocomplete="cc-number"></label>
<label>Expiry <input id="expiry" autocomplete="cc-exp"></label>
<label>CVC <input id="cvc" autocomplete="cc-csc"></label>
<div id="bank" hidden><p style="margin:0">Your bank asks</p>
<button type="button" id="yes">Complete</button> <button type="button" id="no">Fail</button></div></main>
<script>
  const send = (message) => parent.postMessage(message, '*')
  const field = document.getElementById('number')
  const bank = document.getElementById('bank')
  field.addEventListener('input', () => send({ event: 'change', complete: field.value.length > 14, error: undefined }))
  const consent = () => new Promise((resolve) => {
    bank.hidden = false
    document.getElementById('yes').onclick = () => resolve('given')
    document.getElementById('no').onclick = () => resolve('refused')
  }).finally(() => { bank.hidden = true })
  async function confirm({ client_secret, key }, decision) {
    const body = new URLSearchParams({ number: field.value, ...(decision && { consent: decision }) })
    const headers = { authorization: 'Bearer ' + key }
    const response = await fetch('/v1/setup_intents/' + client_secret + '/confirm', { method: 'POST', headers, body })
    const answer = await response.json()
    if (answer.status === 'requires_action') return confirm({ client_secret, key }, await consent())
    return answer.error ? { error: answer.error } : { setupIntent: answer }
  }
  addEventListener('message', async ({ data }) => data.client_secret && send({ answer: await confirm(data) }))
  send({ event: 'ready' })
</script></html>`
