import { Button, Center, Paper, Stack, Text, Title } from '@mantine/core'
import { type ReactNode, useEffect } from 'react'
import { FormError, type FormState } from '../ui/form-error.tsx'
import { RemoveSkeleton } from './remove-skeleton.tsx'

export function SignInFrame({ title, children }: { title: string; children: ReactNode }) {
  useEffect(() => {
    document.title = `${title} · Frontdesk`
  }, [title])
  return (
    <Center component="main" mih="100vh" p="md">
      <RemoveSkeleton />
      <Paper withBorder p="xl" w="100%" maw={400}>
        <Stack>
          <Text fw={700} size="lg">
            <img src="/favicon.svg" alt="" width={20} style={{ verticalAlign: -3, marginRight: 8 }} />
            Frontdesk
          </Text>
          <Title order={1}>{title}</Title>
          {children}
        </Stack>
      </Paper>
    </Center>
  )
}

export function SignInForm({ form, action, children }: { form: FormState; action: string; children: ReactNode }) {
  return (
    <form onSubmit={form.onSubmit}>
      <Stack gap="sm">
        {children}
        <FormError form={form} />
        <Button type="submit" loading={form.isWorking}>
          {action}
        </Button>
      </Stack>
    </form>
  )
}
