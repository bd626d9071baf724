// The part of superagent that functions of Papercups use, on the sandbox's fetch: a request is sent once it is
// awaited.
class Request {
  #method
  #url
  #headers = {}
  #query = new URLSearchParams()
  #body
  #answer

  constructor(method, url) {
    this.#method = method
    this.#url = url
  }

  set(name, value) {
    const given = typeof name === 'string' ? { [name]: value } : name
    for (const [key, one] of Object.entries(given)) this.#headers[key.toLowerCase()] = String(one)
    return this
  }
  type(type) {
    return this.set('content-type', TYPES[type] ?? type)
  }
  accept(type) {
    return this.set('accept', TYPES[type] ?? type)
  }
  auth(user, password, options) {
    const kind = (options ?? (typeof password === 'object' ? password : {}))?.type ?? 'basic'
    return this.set(
      'authorization',
      kind === 'bearer' ? `Bearer ${user}` : `Basic ${btoa(`${user}:${password ?? ''}`)}`,
    )
  }
  query(given) {
    const more = new URLSearchParams(given)
    for (const [name, value] of more) this.#query.append(name, value)
    return this
  }
  send(body) {
    const isObject = typeof body === 'object' && body !== null && !Array.isArray(body)
    this.#body = isObject && typeof this.#body === 'object' ? { ...this.#body, ...body } : body
    return this
  }
  // biome-ignore lint/suspicious/noThenProperty: old functions await the request itself
  then(taken, failed) {
    this.#answer ??= this.#send()
    return this.#answer.then(taken, failed)
  }
  catch(failed) {
    return this.then(undefined, failed)
  }
  finally(done) {
    return this.then().finally(done)
  }
  end(done) {
    this.then(
      (response) => done(null, response),
      (error) => done(error, error.response),
    )
    return this
  }

  async #send() {
    const search = this.#query.toString()
    const url = search ? `${this.#url}${this.#url.includes('?') ? '&' : '?'}${search}` : this.#url
    const response = await fetch(url, { method: this.#method, headers: this.#headers, ...this.#payload() })
    const text = await response.text()
    const { status, ok } = response
    const headers = Object.fromEntries(response.headers.entries())
    const answer = { status, statusCode: status, ok, headers, header: headers, text, body: readBody(headers, text) }
    if (ok) return answer
    throw Object.assign(new Error(`The server answered ${status}.`), { status, response: answer })
  }
  #payload() {
    if (this.#body === undefined) return {}
    if (typeof this.#body === 'string') {
      this.#headers['content-type'] ??= TYPES.form
      return { body: this.#body }
    }
    this.#headers['content-type'] ??= TYPES.json
    const isForm = this.#headers['content-type'].startsWith(TYPES.form)
    return { body: isForm ? new URLSearchParams(this.#body).toString() : JSON.stringify(this.#body) }
  }
}

const TYPES = { json: 'application/json', form: 'application/x-www-form-urlencoded', text: 'text/plain' }

function readBody(headers, text) {
  try {
    return /json/.test(headers['content-type'] ?? '') ? JSON.parse(text) : {}
  } catch {
    return {}
  }
}

const request = (method, url) => (url === undefined ? new Request('GET', method) : new Request(method, url))
for (const method of ['get', 'head']) {
  request[method] = (url, query) => new Request(method.toUpperCase(), url).query(query ?? {})
}
for (const method of ['post', 'put', 'patch', 'delete']) {
  request[method] = (url, body) => {
    const made = new Request(method.toUpperCase(), url)
    return body === undefined ? made : made.send(body)
  }
}
request.del = request.delete

module.exports = request
