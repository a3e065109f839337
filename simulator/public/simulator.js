const $ = (id) => document.getElementById(id)

async function ask(method, path, body) {
  const answer = await fetch(`/simulator${path}`, {
    method,
    ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  })
  const answered = await answer.json()
  if (!answer.ok) throw new Error(answered.detail ?? answered.error?.error_user_msg ?? answered.error?.message)
  return answered
}

let forgetting
function note(text) {
  $('note').textContent = text
  clearTimeout(forgetting)
  forgetting = setTimeout(() => {
    $('note').textContent = ''
  }, 5000)
}
const trying = (work) => work().catch((error) => note(error.message))

function element(tag, properties = {}, ...children) {
  const made = Object.assign(document.createElement(tag), properties)
  made.append(...children)
  return made
}

const digits = (text) => text.replace(/\D/g, '')
const entries = new Map()
let lastSeq = 0

function showTalk() {
  const person = digits($('from').value)
  const own = [...entries.values()]
    .filter((entry) => entry.person === person && (!$('number').value || entry.phone_number_id === $('number').value))
    .sort((a, b) => a.at - b.at)
  const atEnd = $('talk').scrollHeight - $('talk').scrollTop - $('talk').clientHeight < 40
  $('talk').replaceChildren(
    ...own.map(({ id, direction, text, type, at, status, options }) => {
      const about = [new Date(at).toLocaleTimeString(), type === 'text' ? '' : type, status ?? '']
        .filter(Boolean)
        .join(' · ')
      const words = element('span', { textContent: text })
      const className = `${direction} ${status === 'failed' ? 'failed' : ''}`
      const buttons = options.map((option) => {
        const button = element('button', { textContent: option, type: 'button' })
        button.onclick = () => write({ type: 'interactive', context: { id } }, { tap: option })
        return button
      })
      return element('li', { className }, words, ...buttons, element('small', { textContent: about }))
    }),
  )
  if (atEnd) $('talk').scrollTop = $('talk').scrollHeight
}

async function follow() {
  try {
    const { data } = await ask('GET', `/transcript?after=${lastSeq}`)
    for (const entry of data) {
      entries.set(entry.id, entry)
      lastSeq = Math.max(lastSeq, entry.seq)
    }
    if (data.length > 0) showTalk()
  } catch {
    note('The simulator does not answer')
  }
  setTimeout(follow, 700)
}

async function showNumbers() {
  const { data } = await ask('GET', '/numbers')
  const chosen = $('number').value
  const options = data.map(({ phone_number_id, display_phone_number, verified_name }) =>
    element('option', { value: phone_number_id, textContent: `${display_phone_number} ${verified_name ?? ''}` }),
  )
  if (options.length === 0) {
    options.push(element('option', { value: '', textContent: 'none is connected yet' }))
  }
  $('number').replaceChildren(...options)
  if (data.some(({ phone_number_id }) => phone_number_id === chosen)) $('number').value = chosen
}

const shownKnobs = [
  ['webhooks', 'Post webhooks'],
  ['skip_delivered', 'Skip “delivered”'],
  ['held_for_quality', 'Hold templates for quality'],
  ['sync_failures', 'Tell failures at once'],
  ['pair_limit', 'Limit messages to one person'],
  ['duplicates', 'Repeat each webhook'],
  ['delay_ms', 'Delay webhooks (ms)'],
  ['batch_size', 'Most updates in one webhook'],
  ['throughput', 'Messages a second'],
  ['error_rate', 'Share of requests that fail'],
  ['order', 'Order of statuses', ['in_order', 'shuffled', 'reversed']],
  ['review', 'Template review', ['rules', 'approve', 'reject', 'never']],
]

function knobInput(name, value, words) {
  if (words) {
    const options = words.map((word) => element('option', { value: word, textContent: word.replace('_', ' ') }))
    const select = element('select', {}, ...options)
    select.value = value
    select.onchange = () => turn(name, select.value)
    return select
  }
  if (typeof value === 'boolean') {
    const box = element('input', { type: 'checkbox', checked: value })
    box.onchange = () => turn(name, box.checked)
    return box
  }
  const field = element('input', {
    type: 'number',
    min: '0',
    step: name === 'error_rate' ? '0.1' : '1',
    value: value ?? '',
  })
  field.placeholder = name === 'throughput' ? 'as registered' : ''
  field.onchange = () => turn(name, field.value === '' ? null : Number(field.value))
  return field
}
const turn = (name, value) => trying(() => ask('PATCH', '/knobs', { [name]: value }))

async function showKnobs() {
  const knobs = await ask('GET', '/knobs')
  $('knobs').replaceChildren(
    ...shownKnobs.map(([name, label, words]) => element('label', {}, label, knobInput(name, knobs[name], words))),
  )
}

async function showTemplates() {
  if (!$('number').value) return
  const { data } = await ask('GET', `/templates?phone_number_id=${encodeURIComponent($('number').value)}`)
  const actions = [
    ['approve'],
    ['reject'],
    ['pause'],
    ['unpause'],
    ['quality', { score: 'YELLOW' }, 'yellow'],
    ['disable'],
  ]
  const items = data.map(({ id, name, language, status, category, quality }) => {
    const buttons = actions.map(([event, more = {}, label = event]) => {
      const button = element('button', { textContent: label })
      button.onclick = () =>
        trying(async () => {
          await ask('POST', `/templates/${id}/events`, { event, ...more })
          await showTemplates()
        })
      return button
    })
    const about = `${language} · ${category} · ${status} · quality ${quality.score}`
    return element(
      'li',
      {},
      element('b', { textContent: name }),
      element('span', { textContent: about }),
      element('div', {}, ...buttons),
    )
  })
  $('templates').replaceChildren(...(items.length > 0 ? items : [element('li', { textContent: 'None yet.' })]))
}

function messageOf(type, text) {
  if (type === 'text') return { type, text: { body: text } }
  if (type === 'reaction') return { type, ...(text && { reaction: { emoji: text } }) }
  if (type === 'button') return { type, ...(text && { button: { payload: text, text } }) }
  if (['image', 'video', 'document'].includes(type)) return { type, [type]: text ? { caption: text } : {} }
  return { type }
}

const write = (message, more = {}) =>
  trying(async () => {
    await ask('POST', '/inbound', {
      ...($('number').value && { phone_number_id: $('number').value }),
      from: $('from').value,
      ...($('name').value && { name: $('name').value }),
      message,
      ...more,
    })
    $('text').value = ''
  })

$('compose').onsubmit = (event) => {
  event.preventDefault()
  const type = $('type').value
  const text = $('text').value.trim()
  if (type === 'text' && !text) return
  write(messageOf(type, text), type === 'interactive' && text ? { tap: text } : {})
}
$('connect').onsubmit = (event) => {
  event.preventDefault()
  const { phone_number_id, ...facts } = Object.fromEntries(new FormData(event.target))
  trying(async () => {
    await ask('PUT', `/numbers/${encodeURIComponent(phone_number_id)}`, facts)
    await showNumbers()
    $('number').value = phone_number_id
    note('Connected')
  })
}
for (const button of document.querySelectorAll('[data-outage]'))
  button.onclick = () =>
    trying(async () => {
      await ask('POST', '/outage', { kind: button.dataset.outage, for_ms: 10_000 })
      note('Broken for ten seconds')
    })
$('from').oninput = showTalk
$('number').onchange = () => {
  showTalk()
  trying(showTemplates)
}

await trying(showNumbers)
$('connecting').open = $('number').value === ''
trying(showKnobs)
trying(showTemplates)
void follow()
setInterval(() => {
  trying(showNumbers)
  trying(showTemplates)
}, 3000)
