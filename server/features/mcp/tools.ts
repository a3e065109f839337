import Type from 'typebox'
import { largestInteger, OneOf } from '../../platform/schemas.ts'
import { preflightCampaign } from '../campaigns/preflight-campaign.ts'
import { Preflight } from '../campaigns/preflight-schema.ts'
import { NewCampaign } from '../campaigns/schema.ts'
import type { ChatConnections } from '../channels/connections/chat-connections.ts'
import { NamedChannels, nameChannels } from '../channels/name-channels.ts'
import { getContact } from '../contacts/get-contact.ts'
import { readContacts } from '../contacts/lists/read-contacts.ts'
import { ContactFilter, ContactPage } from '../contacts/lists/schema.ts'
import { Contact } from '../contacts/schema.ts'
import { addActivity } from '../contacts/timeline/add-activity.ts'
import { listTimeline } from '../contacts/timeline/list-timeline.ts'
import { Activity, ActivityPage, activityTypes } from '../contacts/timeline/schema.ts'
import { type Retrieval, searchKnowledge } from '../knowledge/retrieval/search-knowledge.ts'
import { Search, SearchResults } from '../knowledge/schema.ts'
import { createTask } from '../tasks/create-task.ts'
import { readTasks } from '../tasks/read-tasks.ts'
import { NewTask, Task, TaskFilter, TaskPage } from '../tasks/schema.ts'
import { readTemplates } from '../templates/read-templates.ts'
import { TemplateFilter, TemplatePage } from '../templates/schema.ts'
import { readingTool, type Tool, writingTool } from './tool.ts'

const contactId = Type.String({ format: 'uuid', description: 'From search_contacts' })

/** Results cost the model tokens: smaller pages than for programs. */
const limitOf = (usual: number) =>
  Type.Integer({ minimum: 1, maximum: 50, default: usual, description: 'Maximum number of records to return' })
const limit = limitOf(10)

const idempotencyKey = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 255,
    description: 'Any text of your own. Repeating a call with the same key and arguments has no further effect',
  }),
)

const findContactFirst = 'Find the contact with search_contacts.'

export function createTools(deps: { chatConnections: ChatConnections; knowledge: Retrieval }): Tool[] {
  const { starting_after, search, tag, stage, ai_handling, opted_out } = ContactFilter.properties
  const { status, assignee_id, contact_id, due_before, due_after, overdue } = TaskFilter.properties
  const { query, top_k, document_ids, mode } = Search.properties
  const { page, status: templateStatus, category, search: templateSearch } = TemplateFilter.properties
  const { contact_id: _, ...newTask } = NewTask.properties
  return [
    readingTool({
      name: 'search_contacts',
      title: 'Search contacts',
      description:
        'Finds contacts by part of a name or phone number, by tag or by stage; without filters, returns the newest. For the next page, send this page’s next_cursor as starting_after.',
      scope: 'contacts:read',
      input: Type.Object({ search, tag, stage, ai_handling, opted_out, limit, starting_after }),
      output: ContactPage,
      run: readContacts,
    }),
    readingTool({
      name: 'get_contact',
      title: 'Get a contact',
      description: 'Returns one contact with its stage, tags, notes and custom fields.',
      scope: 'contacts:read',
      input: Type.Object({ contact_id: contactId }),
      output: Contact,
      whenMissing: findContactFirst,
      run: (sql, input) => getContact(sql, input.contact_id),
    }),
    readingTool({
      name: 'read_timeline',
      title: 'Read a contact’s timeline',
      description: 'Returns what happened with a contact, newest first: notes, messages, calls, tasks, stage changes.',
      scope: 'contacts:read',
      input: Type.Object({
        contact_id: contactId,
        type: Type.Optional(Type.Array(OneOf(activityTypes), { description: 'Return only these types' })),
        limit: limitOf(20),
        offset: Type.Integer({
          minimum: 0,
          maximum: largestInteger,
          default: 0,
          description: 'Number of records to skip',
        }),
      }),
      output: ActivityPage,
      whenMissing: findContactFirst,
      run: (sql, { contact_id: id, ...filter }) => listTimeline(sql, id, filter),
    }),
    writingTool({
      name: 'add_note',
      title: 'Add a note to a contact',
      description: 'Adds a note to a contact’s timeline, where every member of the organization can read it.',
      scope: 'contacts:write',
      input: Type.Object({
        contact_id: contactId,
        note: Type.String({ maxLength: 65_536, pattern: '\\S', description: 'Plain text' }),
        idempotency_key: idempotencyKey,
      }),
      output: Activity,
      whenMissing: findContactFirst,
      run: (tx, input, actor) => addActivity(tx, input.contact_id, { type: 'note_added', note: input.note }, actor),
    }),
    readingTool({
      name: 'list_tasks',
      title: 'List tasks',
      description: 'Returns tasks for contacts, newest first. overdue: true returns those past their due date.',
      scope: 'contacts:read',
      input: Type.Object({ status, assignee_id, contact_id, due_before, due_after, overdue, limit, starting_after }),
      output: TaskPage,
      run: readTasks,
    }),
    writingTool({
      name: 'create_task',
      title: 'Create a task for a contact',
      description: 'Adds a task for a contact.',
      scope: 'contacts:write',
      input: Type.Object({ contact_id: contactId, ...newTask, idempotency_key: idempotencyKey }),
      output: Task,
      whenMissing: findContactFirst,
      run: createTask,
    }),
    readingTool({
      name: 'search_knowledge',
      title: 'Search the knowledge base',
      description:
        'Finds the passages of the organization’s documents that best answer a question, each with its document and page. Answer from what it returns, and say so when nothing fits.',
      scope: 'knowledge:read',
      input: Type.Object({ query, top_k, document_ids, mode }),
      output: SearchResults,
      run: (sql, input) => searchKnowledge(deps.knowledge, sql.scope, input),
    }),
    readingTool({
      name: 'list_channels',
      title: 'List channels',
      description: 'Returns the organization’s phone numbers; a campaign is sent from one of them.',
      scope: 'campaigns:manage',
      narrowerScope: 'campaigns:read',
      input: Type.Object({ limit, starting_after }),
      output: NamedChannels,
      run: nameChannels,
    }),
    readingTool({
      name: 'list_templates',
      title: 'List message templates',
      description: 'Returns the messages that a campaign can send. Only APPROVED templates can be sent.',
      scope: 'campaigns:manage',
      narrowerScope: 'campaigns:read',
      input: Type.Object({ status: templateStatus, category, search: templateSearch, limit, page }),
      output: TemplatePage,
      run: readTemplates,
    }),
    readingTool({
      name: 'preflight_campaign',
      title: 'Preview a campaign',
      description:
        'Returns how many contacts a campaign would reach, which it would skip and why, which variables would stay empty and how long it would take. Nothing is written or sent. Ids come from list_channels, list_templates and search_contacts.',
      scope: 'campaigns:manage',
      input: NewCampaign,
      output: Preflight,
      run: (sql, input) => preflightCampaign(sql, input, deps),
    }),
  ]
}
