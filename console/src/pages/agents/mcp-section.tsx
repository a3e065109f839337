import { Stack, TagsInput, TextInput } from '@mantine/core'
import { type AgentForm, AgentSection } from './agent-section.tsx'
import { FoldableRows } from './foldable-rows.tsx'
import { HeadersField } from './headers-field.tsx'
import { newMcpServer } from './tool-values.ts'

export const McpSection = ({ form }: { form: AgentForm }) => (
  <AgentSection
    id="mcp"
    title="MCP servers"
    text="Tools from Model Context Protocol servers. If a server does not respond, the conversation continues without its tools."
  >
    <FoldableRows form={form} name="mcp_servers" noun="MCP server" create={newMcpServer} detailOf={({ url }) => url}>
      {(server, errorAt, change) => (
        <Stack gap="sm">
          <TextInput
            label="Server name"
            placeholder="calendar"
            description="Prefix of its tools, as in calendar_find_slot"
            value={server.name}
            error={errorAt('name')}
            onChange={(event) => change({ name: event.currentTarget.value })}
          />
          <TextInput
            label="Server URL"
            type="url"
            placeholder="https://mcp.example.com/mcp"
            value={server.url}
            error={errorAt('url')}
            onChange={(event) => change({ url: event.currentTarget.value })}
          />
          <HeadersField
            rows={server.headers}
            errorAt={(name) => errorAt(`headers.${name}`)}
            onChange={(headers) => change({ headers })}
          />
          <TagsInput
            label="Allowed tools"
            description="Leave empty to allow all"
            placeholder={server.allowed_tools.length === 0 ? 'Type a name and press Enter' : undefined}
            acceptValueOnBlur
            value={server.allowed_tools}
            error={errorAt('allowed_tools')}
            onChange={(allowed_tools) => change({ allowed_tools })}
          />
        </Stack>
      )}
    </FoldableRows>
  </AgentSection>
)
