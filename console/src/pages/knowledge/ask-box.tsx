import { Button, CloseButton, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { type FormEvent, useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'

/** The question is kept in the address, so that it can be shared. */
export function useQuestion() {
  const [parameters, setParameters] = useSearchParams()
  return {
    question: parameters.get('q') ?? '',
    ask(question: string) {
      setParameters((now) => {
        if (question) now.set('q', question)
        else now.delete('q')
        return now
      })
    },
  }
}

export function AskBox({ label, placeholder }: { label: string; placeholder: string }) {
  const { question, ask } = useQuestion()
  const [words, setWords] = useState(question)
  useEffect(() => setWords(question), [question])
  function submit(event: FormEvent) {
    event.preventDefault()
    ask(words.trim())
  }
  return (
    <search>
      <form onSubmit={submit}>
        <TextInput
          aria-label={label}
          placeholder={placeholder}
          maxLength={1000}
          value={words}
          onChange={(event) => setWords(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Escape') ask('')
          }}
          leftSection={<IconSearch size={16} />}
          rightSectionWidth={question || words ? 118 : 86}
          rightSection={
            <>
              {(question || words) && (
                <CloseButton
                  size="sm"
                  aria-label="Clear search"
                  onClick={() => {
                    setWords('')
                    ask('')
                  }}
                />
              )}
              <Button type="submit" size="compact-sm" variant="light" ml={4} disabled={!words.trim()}>
                Search
              </Button>
            </>
          }
        />
      </form>
    </search>
  )
}
