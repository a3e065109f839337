import { Button, Stack, TagsInput, TextInput } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { type AgentForm, AgentSection } from './agent-section.tsx'
import { type McpRow, newMcpServer } from './agent-values.ts'
import { HeadersField } from './headers-field.tsx'
import { Foldable } from './tools-section.tsx'

export function McpSection({ form }: { form: AgentForm }) {
  const { mcp_servers: servers } = form.values
  const [fresh, setFresh] = useState<string>()
  const change = (index: number, changes: Partial<McpRow>) =>
    form.set(
      'mcp_servers',
      servers.map((each, at) => (at === index ? { ...each, ...changes } : each)),
    )
  const add = () => {
    const server = newMcpServer()
    setFresh(server.key)
    form.set('mcp_servers', [...servers, server])
  }
  return (
    <AgentSection
      id="mcp"
      title="MCP servers"
      text="Tools from Model Context Protocol servers. If a server does not respond, the conversation continues without its tools."
    >
      {servers.map((server, index) => {
        const errorAt = (member: string) => form.errorAt(`mcp_servers.${index}.${member}`)
        return (
          <Foldable
            key={server.key}
            name={server.name || 'New server'}
            detail={server.url}
            isOpen={server.key === fresh}
            hasError={Object.entries(form.errors).some(
              ([at, message]) => message && at.startsWith(`mcp_servers.${index}.`),
            )}
            onRemove={() =>
              form.set(
                'mcp_servers',
                servers.filter((_, at) => at !== index),
              )
            }
          >
            <Stack gap="sm">
              <TextInput
                label="Server name"
                placeholder="calendar"
                description="Prefix of its tools, as in calendar_find_slot"
                value={server.name}
                error={errorAt('name')}
                onChange={(event) => change(index, { name: event.currentTarget.value })}
              />
              <TextInput
                label="Server URL"
                type="url"
                placeholder="https://mcp.example.com/mcp"
                value={server.url}
                error={errorAt('url')}
                onChange={(event) => change(index, { url: event.currentTarget.value })}
              />
              <HeadersField
                rows={server.headers}
                errorAt={(name) => errorAt(`headers.${name}`)}
                onChange={(headers) => change(index, { headers })}
              />
              <TagsInput
                label="Allowed tools"
                description="Leave empty to allow all"
                placeholder={server.allowed_tools.length === 0 ? 'Type a name and press Enter' : undefined}
                acceptValueOnBlur
                value={server.allowed_tools}
                error={errorAt('allowed_tools')}
                onChange={(allowed_tools) => change(index, { allowed_tools })}
              />
            </Stack>
          </Foldable>
        )
      })}
      <Button
        variant="default"
        size="xs"
        leftSection={<IconPlus size={14} />}
        onClick={add}
        style={{ alignSelf: 'flex-start' }}
      >
        Add MCP server
      </Button>
    </AgentSection>
  )
}
