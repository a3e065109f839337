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
      text="Servers of the Model Context Protocol bring tools of their own. One that does not answer costs its tools, not the conversation."
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
                description="Its tools are called calendar_find_slot and so on"
                value={server.name}
                error={errorAt('name')}
                onChange={(event) => change(index, { name: event.currentTarget.value })}
              />
              <TextInput
                label="Server address"
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
                label="Tools it may use"
                description="None named: all of them"
                placeholder={server.allowed_tools.length === 0 ? 'find_slot, then Enter' : undefined}
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
        Add an MCP server
      </Button>
    </AgentSection>
  )
}
