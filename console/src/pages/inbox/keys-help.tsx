import { Kbd, Modal, Table } from '@mantine/core'

const keys: [string[], string][] = [
  [['↓', 'j'], 'Next conversation'],
  [['↑', 'k'], 'Previous conversation'],
  [['r'], 'Reply'],
  [['t'], 'Write a note'],
  [['e'], 'Close or reopen'],
  [['a'], 'Assign to me'],
  [['/'], 'In a reply: saved replies'],
  [['h'], 'Take over or hand off to AI'],
  [['n'], 'New conversation'],
  [['/'], 'Search'],
  [['Enter'], 'Send (Shift + Enter for a new line)'],
  [['Ctrl Z'], 'In an empty reply: undo the last message (⌘ Z on a Mac)'],
  [['Esc'], 'Leave the field'],
  [['?'], 'Show shortcuts'],
]

export function KeysHelp({ opened, onClose }: { opened: boolean; onClose(): void }) {
  return (
    <Modal opened={opened} onClose={onClose} title="Keyboard shortcuts" size="sm">
      <Table highlightOnHover={false} withRowBorders={false} verticalSpacing={4}>
        <Table.Tbody>
          {keys.map(([names, what]) => (
            <Table.Tr key={what}>
              <Table.Td w={90}>
                {names.map((name) => (
                  <Kbd key={name} mr={4}>
                    {name}
                  </Kbd>
                ))}
              </Table.Td>
              <Table.Td>{what}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Modal>
  )
}
