// Runs inside the sandbox before the untrusted code, and provides its environment. `host` is the only access to the
// outside, and only passes texts and numbers. Built-ins used here are saved before the untrusted code can change them.
;(host) => {
  const { parse, stringify } = JSON
  const { apply } = Reflect
  const { create, defineProperty, freeze, keys } = Object
  const { startsWith, split, toLowerCase } = String.prototype
  const { join, push } = Array.prototype
  const { hasOwnProperty: hasOwn } = Object.prototype
  const { get: mapGet, set: mapSet, delete: mapDelete } = Map.prototype
  const NativeError = Error
  const NativeMap = Map
  const NativePromise = Promise
  const has = (object, key) => apply(hasOwn, object, [key])
  const begins = (text, start) => apply(startsWith, text, [start])
  const define = (name, value) =>
    defineProperty(globalThis, name, { value, writable: true, configurable: true, enumerable: false })

  // console

  const describe = (value) => {
    if (typeof value === 'string') return value
    if (value instanceof NativeError) return `${value.name}: ${value.message}\n${value.stack ?? ''}`
    if (typeof value === 'object' && value !== null) {
      try {
        return stringify(value, null, 2) ?? `${value}`
      } catch {
        return '[object that cannot be shown]'
      }
    }
    try {
      return String(value)
    } catch {
      return '[value that cannot be shown]'
    }
  }
  const logAs =
    (level) =>
    (...values) => {
      const parts = []
      for (let i = 0; i < values.length && i < 50; i++) apply(push, parts, [describe(values[i])])
      host.log(level, apply(join, parts, [' ']))
    }
  const writeLog = logAs('log')
  const console = {
    log: writeLog,
    info: logAs('info'),
    warn: logAs('warn'),
    error: logAs('error'),
    debug: logAs('debug'),
  }
  console.trace = writeLog
  console.dir = writeLog
  define('console', console)

  // timers

  const timers = new NativeMap()
  let lastTimer = 0
  const addTimer = (callback, ms, args, repeats) => {
    if (typeof callback !== 'function') throw new TypeError('The first argument of a timer must be a function.')
    const id = ++lastTimer
    const wait = Number(ms) > 0 ? Number(ms) : 0
    if (!host.timer(id, wait)) throw new NativeError('Too many timers are waiting.')
    apply(mapSet, timers, [id, { callback, args, wait, repeats }])
    return id
  }
  const clear = (id) => {
    apply(mapDelete, timers, [Number(id)])
    host.clear(Number(id))
  }
  define('setTimeout', (callback, ms, ...args) => addTimer(callback, ms, args, false))
  define('setInterval', (callback, ms, ...args) => addTimer(callback, ms, args, true))
  define('setImmediate', (callback, ...args) => addTimer(callback, 0, args, false))
  define('clearTimeout', clear)
  define('clearInterval', clear)
  define('clearImmediate', clear)
  const nativeThen = NativePromise.prototype.then
  const resolved = NativePromise.resolve()
  define('queueMicrotask', (callback) => void apply(nativeThen, resolved, [() => callback()]))

  const fire = (id) => {
    const timer = apply(mapGet, timers, [id])
    if (!timer) return
    if (timer.repeats) host.timer(id, timer.wait)
    else apply(mapDelete, timers, [id])
    timer.callback(...timer.args)
  }

  // fetch

  const readHeaders = (given) => {
    const found = {}
    if (!given) return found
    const pairs =
      given instanceof Headers || Array.isArray(given) ? [...given] : keys(given).map((key) => [key, given[key]])
    for (const [name, value] of pairs) found[apply(toLowerCase, String(name), [])] = String(value)
    return found
  }
  class Headers {
    #values
    constructor(given) {
      this.#values = readHeaders(given)
    }
    get(name) {
      const key = apply(toLowerCase, String(name), [])
      return has(this.#values, key) ? this.#values[key] : null
    }
    has(name) {
      return this.get(name) !== null
    }
    set(name, value) {
      this.#values[apply(toLowerCase, String(name), [])] = String(value)
    }
    append(name, value) {
      const known = this.get(name)
      this.set(name, known === null ? value : `${known}, ${value}`)
    }
    delete(name) {
      delete this.#values[apply(toLowerCase, String(name), [])]
    }
    entries() {
      return Object.entries(this.#values)[Symbol.iterator]()
    }
    forEach(callback) {
      for (const [name, value] of this) callback(value, name, this)
    }
    [Symbol.iterator]() {
      return this.entries()
    }
  }
  class Response {
    #body
    constructor(body, { status = 200, headers = {}, url = '' } = {}) {
      this.#body = String(body ?? '')
      this.status = status
      this.ok = status >= 200 && status < 300
      this.url = url
      this.headers = new Headers(headers)
    }
    async text() {
      return this.#body
    }
    async json() {
      return parse(this.#body)
    }
  }
  const requests = new NativeMap()
  let lastRequest = 0
  const fetch = async (address, { method = 'GET', headers, body } = {}) => {
    const all = readHeaders(headers)
    let text = null
    if (body instanceof URLSearchParams) {
      all['content-type'] ??= 'application/x-www-form-urlencoded;charset=UTF-8'
      text = body.toString()
    } else if (body !== undefined && body !== null) {
      if (typeof body !== 'string') throw new TypeError('The body of a request must be a string. Use JSON.stringify.')
      text = body
    }
    const id = ++lastRequest
    const request = { url: String(address), method: String(method).toUpperCase(), headers: all, body: text }
    return new NativePromise((resolve, reject) => {
      apply(mapSet, requests, [id, { resolve, reject }])
      host.fetch(id, stringify(request))
    })
  }
  const fetched = (id, answer) => {
    const waiting = apply(mapGet, requests, [id])
    apply(mapDelete, requests, [id])
    if (!waiting) return
    const { response, error } = parse(answer)
    if (response) waiting.resolve(new Response(response.body, response))
    else waiting.reject(new TypeError(error))
  }
  define('Headers', Headers)
  define('Response', Response)
  define('fetch', fetch)

  // addresses

  const encode = (text) =>
    encodeURIComponent(text)
      .replace(/%20/g, '+')
      .replace(/[!'()~]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
  const decode = (text) => {
    const plain = text.replace(/\+/g, ' ')
    try {
      return decodeURIComponent(plain)
    } catch {
      return plain
    }
  }
  class URLSearchParams {
    #pairs = []
    constructor(given = '') {
      if (typeof given === 'string') {
        for (const part of given.replace(/^\?/, '').split('&')) {
          if (!part) continue
          const [name, ...rest] = part.split('=')
          this.append(decode(name), decode(rest.join('=')))
        }
      } else {
        const pairs = given[Symbol.iterator] ? given : Object.entries(given)
        for (const [name, value] of pairs) this.append(name, value)
      }
    }
    append(name, value) {
      this.#pairs.push([String(name), String(value)])
    }
    delete(name) {
      this.#pairs = this.#pairs.filter(([key]) => key !== name)
    }
    get(name) {
      return this.#pairs.find(([key]) => key === name)?.[1] ?? null
    }
    getAll(name) {
      return this.#pairs.filter(([key]) => key === name).map(([, value]) => value)
    }
    has(name) {
      return this.#pairs.some(([key]) => key === name)
    }
    set(name, value) {
      const at = this.#pairs.findIndex(([key]) => key === name)
      if (at < 0) return this.append(name, value)
      this.#pairs[at] = [String(name), String(value)]
      this.#pairs = this.#pairs.filter(([key], index) => key !== name || index <= at)
    }
    forEach(callback) {
      for (const [name, value] of this) callback(value, name, this)
    }
    entries() {
      return this.#pairs[Symbol.iterator]()
    }
    [Symbol.iterator]() {
      return this.entries()
    }
    toString() {
      return this.#pairs.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&')
    }
  }
  class URL {
    constructor(address, base) {
      const text = host.parseUrl(String(address), base === undefined ? '' : String(base))
      if (!text) throw new TypeError('Invalid URL')
      Object.assign(this, parse(text))
      this.searchParams = new URLSearchParams(this.search)
    }
    toString() {
      const search = this.searchParams.toString()
      return `${this.origin}${this.pathname}${search ? `?${search}` : ''}${this.hash}`
    }
    toJSON() {
      return this.toString()
    }
  }
  define('URLSearchParams', URLSearchParams)
  define('URL', URL)

  // miscellaneous

  define('crypto', freeze({ randomUUID: () => host.uuid() }))
  define('btoa', (text) => host.base64(String(text)))
  define('atob', (text) => host.unbase64(String(text)))
  define('structuredClone', (value) => parse(stringify(value)))
  define('global', globalThis)

  // modules

  const BUILT_IN =
    /^(assert|async_hooks|buffer|child_process|cluster|console|constants|crypto|dgram|diagnostics_channel|dns|domain|events|fs|http|http2|https|inspector|module|net|os|path|perf_hooks|process|punycode|querystring|readline|repl|stream|string_decoder|sys|timers|tls|trace_events|tty|url|util|v8|vm|wasi|worker_threads|zlib)(\/|$)/
  const normalize = (path) => {
    const parts = []
    for (const part of apply(split, path, ['/'])) {
      if (part === '..') parts.pop()
      else if (part && part !== '.') apply(push, parts, [part])
    }
    return apply(join, parts, ['/'])
  }

  const createRequire = (modules, loaded) => {
    const mainOf = (folder) => {
      const text = modules[`${folder}/package.json`]
      const main = text === undefined ? undefined : parse(text).main
      return typeof main === 'string' ? main : 'index.js'
    }
    const asFile = (path) => {
      for (const candidate of [path, `${path}.js`, `${path}.cjs`, `${path}.json`])
        if (has(modules, candidate)) return candidate
      return undefined
    }
    const find = (path) =>
      asFile(path) ??
      asFile(normalize(`${path}/${mainOf(path)}`)) ??
      asFile(normalize(`${path}/${mainOf(path)}/index`)) ??
      asFile(`${path}/index`)
    const resolve = (name, folder) => {
      if (/^\.{0,2}\//.test(name) || name === '.' || name === '..') {
        return find(normalize(begins(name, '/') ? name : `${folder}/${name}`))
      }
      for (let at = folder; ; at = at.includes('/') ? at.slice(0, at.lastIndexOf('/')) : '') {
        const found = find(normalize(`${at}/node_modules/${name}`))
        if (found !== undefined || at === '') return found
      }
    }
    const refuse = (name) => {
      const plain = name.replace(/^node:/, '')
      if (BUILT_IN.test(plain) || plain !== name) {
        return `"${name}" is a part of Node.js that functions do not have. They have fetch, console, timers and crypto.randomUUID.`
      }
      return `The module "${name}" was not found. Upload it with the function, as plain JavaScript in a zip.`
    }
    const load = (path) => {
      if (has(loaded, path)) return loaded[path].exports
      const module = { exports: {}, id: path, filename: path, loaded: false }
      loaded[path] = module
      if (path.endsWith('.json')) module.exports = parse(modules[path])
      else if (path.endsWith('.node'))
        throw new NativeError(
          `"${path}" is a native module, which functions cannot use. Use a module in plain JavaScript.`,
        )
      else if (path.endsWith('.mjs'))
        throw new NativeError(`"${path}" is an ES module. Functions can require CommonJS modules only.`)
      else run(modules[path], path, module)
      module.loaded = true
      return module.exports
    }
    const run = (source, path, module) => {
      const folder = path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : ''
      const require = (name) => {
        const found = resolve(String(name), folder)
        if (found === undefined) throw new NativeError(refuse(String(name)))
        return load(found)
      }
      const wrapped = host.compile(source, path)
      apply(wrapped, module.exports, [module.exports, require, module, path, folder])
    }
    return { run, load }
  }

  const EXPORT_HANDLER =
    "\n;if (typeof handler === 'function' && typeof module.exports === 'object' && !module.exports.handler) module.exports.handler = handler"

  const fail = (error) => {
    let name = 'Error'
    let message = ''
    let stack = ''
    try {
      name = String(error?.name ?? 'Error')
      message = String(error instanceof NativeError || error?.message !== undefined ? error.message : describe(error))
      stack = String(error?.stack ?? '')
    } catch {
      message = 'The function threw a value that cannot be shown.'
    }
    host.fail(name, message, stack)
  }

  const start = async (text) => {
    try {
      const { code, modules, env, input } = parse(text)
      defineProperty(globalThis, 'process', { value: freeze({ env: { ...env }, version: 'v24', platform: 'sandbox' }) })
      const { run } = createRequire({ __proto__: null, ...modules }, create(null))
      const module = { exports: {}, id: '.', filename: 'index.js', loaded: false }
      run(code + EXPORT_HANDLER, 'index.js', module)
      const { exports } = module
      const handler = typeof exports === 'function' ? exports : (exports.handler ?? exports.default)
      if (typeof handler !== 'function') {
        throw new NativeError(
          'There is no function named handler. Write: async function handler({event, payload}) { … }',
        )
      }
      const result = await handler(input, {})
      const answer = result === undefined ? 'null' : (stringify(result) ?? 'null')
      host.done(answer)
    } catch (error) {
      fail(error)
    }
  }

  return { start, fire, fetched }
}
