import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { until } from '../../../../server/testing/process.ts'
import { picture, skip, startBrowser } from '../../../testing/browser.ts'

suite('tasks', { skip }, async () => {
  if (skip) return
  const { organization, signIn, address } = await startBrowser()

  /** An organization with one contact and a function that adds tasks. */
  async function house() {
    const home = await organization()
    const contact = (await home.call('POST', 'contacts', { phone_number: '+14155550601', name: 'Mary Shelley' })).body
    const add = async (title: string, more: object = {}) =>
      (await home.call('POST', 'crm/tasks', { contact_id: contact.id, title, ...more })).body
    const statusOf = async (id: string) => (await home.call('GET', `crm/tasks/${id}`)).body.status
    return { home, contact, add, statusOf }
  }
  const yesterday = () => new Date(Date.now() - 86_400_000).toISOString()
  const nextWeek = () => new Date(Date.now() + 7 * 86_400_000).toISOString()

  test('a task is created from any page, shown as overdue, edited, completed, reopened and deleted', async () => {
    const { home, contact, statusOf } = await house()
    const { page, assertAccessible, close } = await signIn(home, '/tasks')
    await page.getByText('No open tasks').waitFor()
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Knowledge' }).click()
    await page.getByRole('heading', { level: 1, name: 'Knowledge' }).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByLabel('Search everything').fill('new task')
    await page.getByText('New task').waitFor()
    await page.keyboard.press('Enter')
    await page.getByLabel('Title').fill('Return the manuscript')
    await page.getByRole('button', { name: 'Create task' }).click()
    await page.getByText('Choose a contact').waitFor()
    await assertAccessible()
    await page.getByRole('combobox', { name: 'Contact' }).fill('shell')
    await page.getByRole('option', { name: /Mary Shelley/ }).click()
    await page.getByLabel('Due').fill('2020-01-02T09:30')
    await page.getByRole('button', { name: 'Create task' }).click()
    await page.getByText('Task created').waitFor()
    const [task] = (await home.call('GET', 'crm/tasks')).body.data
    assert.deepEqual(
      [task.title, task.contact_id, task.assignee_id],
      ['Return the manuscript', contact.id, home.ownerId],
    )
    assert.equal(Date.parse(task.due_at), await page.evaluate(() => new Date('2020-01-02T09:30').getTime()))

    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Tasks' }).click()
    const overdue = page.getByRole('region', { name: 'Overdue' })
    await overdue.getByText('Return the manuscript').waitFor()
    await assertAccessible()
    await overdue.getByRole('button', { name: 'Return the manuscript', exact: true }).click()
    await page.getByLabel('Title').fill('Return both manuscripts')
    await page.getByRole('button', { name: 'Save' }).click()
    await overdue.getByText('Return both manuscripts').waitFor()
    assert.equal((await home.call('GET', `crm/tasks/${task.id}`)).body.due_at, task.due_at)

    await overdue.getByLabel('Complete: Return both manuscripts').click()
    await page.getByText('Task completed').waitFor()
    assert.equal(await statusOf(task.id), 'completed')
    await page.getByRole('button', { name: 'Undo' }).click()
    await overdue.getByText('Return both manuscripts').waitFor()
    assert.equal(await statusOf(task.id), 'pending')

    await page.getByRole('button', { name: 'Actions for Return both manuscripts' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByText('is permanently deleted').waitFor()
    await page.getByRole('button', { name: 'Delete task' }).click()
    await page.getByText('No open tasks').waitFor()
    assert.equal((await home.call('GET', `crm/tasks/${task.id}`)).status, 404)
    assert.deepEqual(await close(), ['422'])
  })

  test('the board moves tasks by mouse and by keyboard, and the filters stay in the address', async () => {
    const { home, contact, add, statusOf } = await house()
    const late = await add('Late one', { due_at: yesterday() })
    const mine = await add('Mine', { due_at: nextWeek(), assignee_id: home.ownerId })
    await add('Somebody’s')
    const { page, assertAccessible, close } = await signIn(home, '/tasks')
    await page.getByRole('region', { name: 'To do' }).getByText('Mine').waitFor()
    await page.getByText('Board', { exact: true }).click()
    await page.waitForURL(/view=board/)
    const column = (name: string) => page.getByRole('region', { name, exact: true })
    const card = (name: string) => page.getByRole('article', { name })
    await column('To do').getByText('Late one').waitFor()
    assert.match(await column('To do').getByRole('article').first().innerText(), /Late one/, 'what is late is on top')
    await assertAccessible()
    await picture(page, 'board')

    await card('Late one').dragTo(column('Done'))
    await column('Done').getByText('Late one').waitFor()
    assert.equal(await statusOf(late.id), 'completed')
    await page.getByRole('button', { name: 'Actions for Mine' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('menuitem', { name: 'Move to cancelled' }).focus()
    await page.keyboard.press('Enter')
    await column('Cancelled').getByText('Mine').waitFor()
    assert.equal(await statusOf(mine.id), 'cancelled')

    await page.getByRole('button', { name: 'Mine', exact: true }).first().click()
    await page.waitForURL(/assignee=me/)
    await card('Somebody’s').waitFor({ state: 'detached' })
    await card('Mine').waitFor()
    await page.reload()
    await card('Mine').waitFor()
    assert.equal(await card('Somebody’s').count(), 0)

    // A change in another window appears here.
    await page.goto(`${address}/tasks?contact=${contact.id}`)
    await page.getByRole('combobox', { name: 'Contact' }).waitFor()
    await until(async () => /Mary Shelley/.test(await page.getByRole('combobox', { name: 'Contact' }).inputValue()))
    await page.getByText('Somebody’s').waitFor()
    const [open] = (await home.call('GET', 'crm/tasks?status=pending')).body.data
    await home.call('PATCH', `crm/tasks/${open.id}`, { status: 'completed' })
    await page.getByText('Somebody’s').waitFor({ state: 'detached' })
    assert.deepEqual(await close(), [])
  })

  test('tasks are sorted by due date, and a link opens a task', async () => {
    const { home, add } = await house()
    const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
    await add('Late', { due_at: inDays(-1) })
    await add('Long late', { due_at: inDays(-3) })
    await add('Soon', { due_at: inDays(1) })
    const whenever = await add('Whenever')
    await add('Later', { due_at: inDays(9) })
    const { page, close } = await signIn(home, '/tasks')
    const titlesIn = async (name: string) => {
      const tasks = page.getByRole('region', { name, exact: true }).getByRole('checkbox')
      await tasks.first().waitFor()
      return Promise.all((await tasks.all()).map(async (task) => await task.getAttribute('aria-label')))
    }
    assert.deepEqual(await titlesIn('Overdue'), ['Complete: Long late', 'Complete: Late'])
    assert.deepEqual(await titlesIn('To do'), ['Complete: Soon', 'Complete: Later', 'Complete: Whenever'])

    await page.goto(`${address}/tasks?task=${whenever.id}`)
    await page.getByRole('dialog').getByLabel('Title').waitFor()
    assert.equal(await page.getByLabel('Title').inputValue(), 'Whenever')
    await page.waitForURL(`${address}/tasks`)
    await page.keyboard.press('Escape')
    await page.goto(`${address}/tasks?task=00000000-0000-7000-8000-000000000000`)
    await page.getByText('Could not open this task').waitFor()
    assert.deepEqual(await close(), ['404'])
  })

  test('on a phone the list and the board fit', async () => {
    const { home, add } = await house()
    await add('A very long title that says in one breath what to do, by whom, and why it is late', {
      due_at: yesterday(),
    })
    const { page, assertAccessible, assertFits, close } = await signIn(home, '/tasks', {
      viewport: { width: 390, height: 844 },
    })
    for (const view of ['List', 'Board']) {
      await page.getByText(view, { exact: true }).click()
      await page.getByText('A very long title').waitFor()
      await assertFits()
      await assertAccessible()
    }
    assert.deepEqual(await close(), [])
  })
})
