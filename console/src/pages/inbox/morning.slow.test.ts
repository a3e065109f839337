import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { Page } from 'playwright-core'
import Type from 'typebox'
import { type CallAs, ok, type TestOrganization } from '../../../../server/testing/app.ts'
import { person } from '../../../../server/testing/people.ts'
import { until } from '../../../../server/testing/process.ts'
import { picture, skip, startBrowser } from '../../../testing/browser.ts'
import { durationText } from '../../ui/duration.ts'

suite('a morning of a team', { skip }, async () => {
  if (skip) return
  const { app, address, organization, signIn, signInMember } = await startBrowser({
    app: { settings: { AGENT_REPLY_DELAY_MS: 0 } },
  })

  const row = (page: Page, name: string) => page.locator('[data-ticket]').filter({ hasText: name })
  const bubble = (page: Page, text: string) => page.locator('[data-message]').filter({ hasText: text })
  const queue = (page: Page, name: RegExp) =>
    page.getByRole('navigation', { name: 'Queues' }).getByRole('button', { name })
  const customers = { Ines: '+12025550142', Bo: '+12025550143', Cem: '+12025550144' }
  type Customer = keyof typeof customers
  const writes = async (call: CallAs, name: Customer, text: string) =>
    ok(await call('POST', 'simulator/messages', { from: customers[name], name, text }), 202)
  const ticketOf = async (call: CallAs, name: Customer) =>
    ok(await call('GET', `inbox/tickets?search=${encodeURIComponent(customers[name])}`)).inboxes[0]

  test('three members handle a morning in three browsers, and the report agrees with a recount', {
    timeout: 480_000,
  }, async () => {
    const org = await organization()
    const { call } = org
    const ben = await person(app, org.id, 'member', { name: 'Ben Okri' })
    const grace = await person(app, org.id, 'member', { name: 'Grace Hopper' })
    await setUpDesk(org, [ben.id, grace.id])
    const lead = await signIn(org, '/inbox')
    const [bens, graces] = [await signInMember(ben.id, '/inbox'), await signInMember(grace.id, '/inbox')]
    const everyone = [lead.page, bens.page, graces.page]

    // Messages come in. The agent answers one customer and hands off two, whom the team gets in turn.
    await writes(call, 'Ines', 'I have a complaint')
    await queue(bens.page, /^Mine\s*1$/).waitFor()
    await writes(call, 'Bo', 'Another complaint')
    await queue(graces.page, /^Mine\s*1$/).waitFor()
    await writes(call, 'Cem', 'When are you open?')
    await queue(lead.page, /^AI\s*1$/).waitFor()
    await row(lead.page, 'Cem').getByText('We are open from nine to five.').waitFor()
    for (const page of everyone) await queue(page, /^All\s*3$/).waitFor()
    await queue(lead.page, /^Mine\s*0$/).waitFor()
    await picture(lead.page, 'morning-lead')

    // A note with a mention reaches the colleague and not the customer.
    await row(bens.page, 'Ines').click()
    await bubble(bens.page, 'I have a complaint').waitFor()
    await bens.page.getByRole('tab', { name: 'Note' }).click()
    await bens.page.getByLabel('Your note').pressSequentially('Ask @gra')
    await bens.page.getByRole('option', { name: 'Grace Hopper' }).waitFor()
    await bens.page.keyboard.press('Enter')
    await bens.page.keyboard.type('about the invoice')
    await bens.page.keyboard.press('Enter')
    await graces.page.getByRole('button', { name: /^Notifications, \d+ unread$/ }).click()
    await graces.page.getByRole('button', { name: /You were mentioned in Ines’s conversation/ }).click()
    const note = graces.page.locator('div[data-note]').filter({ hasText: 'Ask @Grace Hopper about the invoice' })
    await note.first().waitFor()
    await bens.page.getByText('Grace Hopper is viewing this conversation').waitFor()
    await picture(graces.page, 'morning-note')

    // A saved reply, which the colleague sees as it is sent.
    await bens.page.getByRole('tab', { name: 'Reply' }).click()
    await bens.page.getByLabel('Your reply').pressSequentially('/sor')
    await bens.page.getByRole('option', { name: /sorry/ }).waitFor()
    await bens.page.keyboard.press('Enter')
    await until(async () => (await bens.page.getByLabel('Your reply').inputValue()).startsWith('Sorry {{'))
    await bens.page.keyboard.press('Enter')
    await bubble(graces.page, 'Sorry Ines, we will fix it.').waitFor()
    await bubble(bens.page, 'Sorry Ines, we will fix it.').getByRole('img', { name: 'Read' }).waitFor()

    // To the AI and back.
    await bens.page.getByRole('button', { name: 'Hand off to AI' }).click()
    await bens.page.getByText('AI is replying').waitFor()
    await until(async () => (await ticketOf(call, 'Ines')).answered_by === 'ai')
    await writes(call, 'Ines', 'Are you open today?')
    await bubble(bens.page, 'We are open from nine to five.').waitFor()
    await queue(lead.page, /^AI\s*2$/).waitFor()
    await bens.page.getByRole('button', { name: 'Take over' }).click()
    await bens.page.getByText('Handled by a person.').waitFor()
    await queue(lead.page, /^AI\s*1$/).waitFor()

    // Snoozed until tomorrow; the customer's next message brings it back.
    await queue(graces.page, /^Mine/).click()
    await row(graces.page, 'Bo').click()
    await bubble(graces.page, 'Another complaint').waitFor()
    await graces.page.getByRole('button', { name: 'Snooze', exact: true }).click()
    await graces.page.getByRole('menuitem', { name: /Tomorrow morning/ }).click()
    await queue(graces.page, /^Snoozed\s*1$/).waitFor()
    await row(graces.page, 'Bo').waitFor({ state: 'detached' })
    await writes(call, 'Bo', 'Is anyone there?')
    await row(graces.page, 'Bo').getByText('Waiting').waitFor()
    await row(graces.page, 'Bo').click()
    await graces.page.getByLabel('Your reply').fill('Yes, your order is on its way.')
    await graces.page.keyboard.press('Enter')
    await bubble(graces.page, 'Yes, your order is on its way.').getByRole('img', { name: 'Read' }).waitFor()

    // The lead takes the conversation that the AI answers.
    await queue(lead.page, /^AI\s*1$/).click()
    await row(lead.page, 'Cem').click()
    await bubble(lead.page, 'When are you open?').waitFor()
    await lead.page.getByRole('button', { name: 'Take', exact: true }).click()
    await lead.page
      .getByText('Olive Owner took this conversation')
      .or(lead.page.getByText('You took this conversation'))
      .waitFor()
    await lead.page.getByRole('button', { name: 'Take', exact: true }).waitFor({ state: 'detached' })
    await queue(lead.page, /^Mine\s*1$/).waitFor()

    // Closed, and rated by two of three customers.
    for (const [{ page }, rating] of [
      [bens, 'Bad'],
      [graces, 'Good'],
      [lead, undefined],
    ] as const) {
      await page.getByRole('button', { name: 'Close', exact: true }).click()
      await page.getByRole('button', { name: 'Reopen' }).waitFor()
      const request = bubble(page, 'How satisfied are you with this conversation?')
      await request.waitFor()
      if (!rating) continue
      await request.getByRole('button', { name: rating }).click()
      await page.getByRole('complementary').getByText(`Rated ${rating.toLowerCase()}`, { exact: true }).waitFor()
    }
    for (const page of everyone) await queue(page, /^All\s*0$/).waitFor()
    await picture(graces.page, 'morning-rated')

    const expected = await recount(org)
    assert.deepEqual([expected.opened, expected.closed, expected.rated_good, expected.rated_bad], [3, 3, 1, 1])
    assert.deepEqual([expected.contained, expected.handed_off], [1, 2])
    const report = async () => ok(await call('GET', 'reports/conversations'))
    const names = Object.keys(expected) as (keyof typeof expected)[]
    const reported = async () => {
      const { totals } = await report()
      return Object.fromEntries(names.map((name) => [name, totals[name]]))
    }
    await until(async () => JSON.stringify(await reported()) === JSON.stringify(expected)).catch(async () =>
      assert.deepEqual(await reported(), expected),
    )
    const { by_member } = await report()
    assert.deepEqual(by_member.map((each: { name: string; closed: number }) => [each.name, each.closed]).sort(), [
      ['Ben Okri', 1],
      ['Grace Hopper', 1],
      ['Olive Owner', 1],
    ])
    await lead.page.goto(`${address}/reports`)
    await lead.page.getByRole('figure', { name: 'Conversations', exact: true }).waitFor()
    const shown = {
      Closed: '3',
      'Open at the end': '0',
      'First reply, median': durationText(expected.first_reply_median_seconds),
      'Messages received': String(expected.messages_received),
      'Messages sent': String(expected.messages_sent),
      'Rated good': '50%',
      'Solved by AI': '33%',
    }
    const figure = (label: string) =>
      lead.page.getByRole('main').getByText(label, { exact: true }).first().locator('~ div').first().innerText()
    const figures = await Promise.all(Object.keys(shown).map(async (label) => [label, await figure(label)]))
    assert.deepEqual(Object.fromEntries(figures), shown)
    await picture(lead.page, 'morning-report')
    for (const window of [lead, bens, graces]) assert.deepEqual(await window.close(), [])
  })

  /** A team that gets the conversations of the channel, an agent that answers it, and a saved reply. */
  async function setUpDesk({ id, call }: TestOrganization, member_ids: string[]): Promise<void> {
    const rules = [
      { when: ['open'], say: 'We are open from nine to five.' },
      // biome-ignore lint/suspicious/noThenProperty: the name in the API
      { when: ['complaint'], say: 'I am sorry. A colleague will write to you.', then: 'handoff' },
    ]
    const agent_config = { call_settings: { rules, fallback: 'Pardon?' } }
    const agent = ok(await call('POST', 'agents', { name: 'Desk', agent_type: 'static', agent_config }), 201)
    const [channel] = ok(await call('GET', 'channels')).data
    ok(await call('PATCH', `channels/${channel.id}`, { agent_id: agent.id, asks_for_rating: true }))
    const live = app.as((await app.key(id, { mode: 'live' })).secret)
    const team = ok(await live('POST', 'teams', { name: 'Support', assignment: 'round_robin', member_ids }), 201)
    ok(await call('PUT', `assignment-rules/${channel.id}`, { team_id: team.id }))
    const body = 'Sorry {{contact.first_name|there}}, we will fix it.'
    ok(await call('POST', 'inbox/saved-replies', { name: 'sorry', body }), 201)
  }

  /** The figures of the report, counted from tickets, messages and the timeline. */
  const recount = ({ id: organizationId }: TestOrganization) =>
    app.database.forTenant({ organizationId, livemode: false }).one(Recount)`
      with replies as (
        select t.id,
          min(m.created_at) filter (where m.direction = 'inbound') as asked_at,
          min(m.created_at) filter (where m.direction = 'outbound' and m.actor_type in ('ai', 'user')) as replied_at,
          bool_or(m.actor_type = 'ai') as has_agent, bool_or(m.actor_type = 'user') as has_member,
          exists (select from activities a where a.contact_id = t.contact_id and a.type = 'handoff_to_human') as is_handed_off
        from tickets t join messages m on m.ticket_id = t.id group by t.id, t.contact_id
      )
      select
        (select count(*) from tickets) as opened,
        (select count(*) from tickets where status = 'closed') as closed,
        (select count(*) from tickets where status = 'open') as backlog,
        (select count(*) from messages where direction = 'inbound') as messages_received,
        (select count(*) from messages where direction = 'outbound') as messages_sent,
        (select count(*) from tickets where rating = 'good') as rated_good,
        (select count(*) from tickets where rating = 'okay') as rated_okay,
        (select count(*) from tickets where rating = 'bad') as rated_bad,
        (select round(percentile_cont(0.5) within group (order by date_part('epoch', replied_at - asked_at)))::integer
          from replies) as first_reply_median_seconds,
        (select count(*) from replies where has_agent) as answered_by_ai,
        (select count(*) from replies where has_agent and not has_member and not is_handed_off) as contained,
        (select count(*) from replies where is_handed_off) as handed_off`
})

const Recount = Type.Object({
  opened: Type.Integer(),
  closed: Type.Integer(),
  backlog: Type.Integer(),
  messages_received: Type.Integer(),
  messages_sent: Type.Integer(),
  rated_good: Type.Integer(),
  rated_okay: Type.Integer(),
  rated_bad: Type.Integer(),
  first_reply_median_seconds: Type.Integer(),
  answered_by_ai: Type.Integer(),
  contained: Type.Integer(),
  handed_off: Type.Integer(),
})
