// The client that functions require under Papercups' name: the same methods, using the sandbox's fetch.
const CLOSED = /^https?:\/\/app\.papercups\.io\/?$/

module.exports = function createClient(key = process.env.PAPERCUPS_API_KEY, { host = '' } = {}) {
  // Papercups' service was shut down; functions written for it use this server instead.
  const base = (!host || CLOSED.test(host) ? process.env.PARLEY_URL : host).replace(/\/+$/, '')

  async function call(method, path, { query, body } = {}) {
    const search = query && Object.keys(query).length > 0 ? `?${inQuery(query)}` : ''
    const response = await fetch(`${base}/api/v1${path}${search}`, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    const answer = readJson(text)
    if (response.ok) return answer
    const error = new Error(answer?.error?.message ?? `The server answered ${response.status}.`)
    throw Object.assign(error, { status: response.status, response: { status: response.status, body: answer, text } })
  }
  const get = async (path, query) => (await call('GET', path, { query })).data
  const post = async (path, body) => (await call('POST', path, { body })).data

  const resource = (path, name) => ({
    list: (query) => get(path, query),
    retrieve: (id, query) => get(`${path}/${id}`, query),
    create: (fields) => post(path, { [name]: fields }),
    update: async (id, fields) => (await call('PUT', `${path}/${id}`, { body: { [name]: fields } })).data,
    destroy: (id) => call('DELETE', `${path}/${id}`),
  })
  const me = () => get('/me')

  return {
    me,
    reporting: (query) => get('/reporting', query),
    users: { me, list: (query) => get('/users', query), retrieve: (id) => get(`/users/${id}`) },
    conversations: {
      ...resource('/conversations', 'conversation'),
      addTag: (id, tag_id) => post(`/conversations/${id}/tags`, { tag_id }),
    },
    customers: {
      ...resource('/customers', 'customer'),
      addTag: (id, tag_id) => post(`/customers/${id}/tags`, { tag_id }),
    },
    messages: resource('/messages', 'message'),
    tags: resource('/tags', 'tag'),
    issues: resource('/issues', 'issue'),
    notes: resource('/notes', 'note'),
    companies: resource('/companies', 'company'),
    github: {
      issues: { list: (query) => get('/github/issues', query), create: (fields) => post('/github/issues', fields) },
      repos: { list: (query) => get('/github/repos', query) },
    },
    slack: { notify: (fields) => post('/slack/notify', fields) },
    gmail: { send: (fields) => post('/gmail/send', fields) },
    twilio: { send: (fields) => post('/twilio/send', fields) },
  }
}
module.exports.default = module.exports

function inQuery(query) {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (Array.isArray(value)) for (const one of value) search.append(`${name}[]`, one)
    else if (value !== undefined && value !== null) search.append(name, value)
  }
  return search
}

function readJson(text) {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
