import { Card, Group, Input, SegmentedControl, Select, Stack, Text } from '@mantine/core'
import { MediaField } from '../../records/templates/media-field.tsx'
import { AddButton } from '../../ui/add-button.tsx'
import { ItemButtons } from '../../ui/item-buttons.tsx'
import { ButtonFields } from './button-fields.tsx'
import { buttonKinds } from './buttons-field.tsx'
import { MessageField } from './message-field.tsx'
import {
  type CardButtonType,
  type CardValues,
  limits,
  newButton,
  newCard,
  type TemplateValues,
} from './template-values.ts'

const types: CardButtonType[] = ['QUICK_REPLY', 'URL', 'PHONE_NUMBER']

type Members = Pick<TemplateValues, 'cards' | 'cardFormat' | 'cardButtons'>

/** The cards of a carousel. All have the same parts, which are chosen once for all. */
export function CardsField({
  values: { cards, cardFormat, cardButtons, channel_id },
  errors,
  change,
}: {
  values: TemplateValues
  errors: Partial<Record<string, string>>
  change(members: Partial<Members>): void
}) {
  const set = (i: number, members: Partial<CardValues>) =>
    change({ cards: cards.map((card, at) => (at === i ? { ...card, ...members } : card)) })
  return (
    <Stack gap="xs">
      <div>
        <Input.Label component="div">Cards</Input.Label>
        <Input.Description>Up to 10. All cards have the same parts.</Input.Description>
        {errors.cards && <Input.Error mt={4}>{errors.cards}</Input.Error>}
      </div>
      <Group gap="md" align="flex-end">
        <SegmentedControl
          aria-label="Top of each card"
          size="sm"
          data={[
            { value: 'IMAGE', label: 'Image' },
            { value: 'VIDEO', label: 'Video' },
          ]}
          value={cardFormat}
          onChange={(format) =>
            change({
              cardFormat: format as TemplateValues['cardFormat'],
              cards: cards.map((card) => ({ ...card, handle: '', file: '' })),
            })
          }
        />
        {[0, 1].map((at) => (
          <Select
            key={at}
            label={at === 0 ? 'First button' : 'Second button'}
            placeholder="None"
            clearable
            disabled={at > cardButtons.length}
            w={170}
            data={types.map((value) => ({ value, label: buttonKinds[value].label }))}
            value={cardButtons[at] ?? null}
            onChange={(type) => {
              const next = [...cardButtons]
              next.splice(at, 1, ...(type ? [type as CardButtonType] : []))
              change({ cardButtons: next })
            }}
          />
        ))}
      </Group>
      {cards.map((card, i) => (
        <Card key={card.key} withBorder padding="sm" component="section" aria-label={`Card ${i + 1}`}>
          <Group justify="space-between" mb="xs">
            <Text size="sm" fw={550}>
              Card {i + 1}
            </Text>
            <ItemButtons
              items={cards}
              index={i}
              noun="card"
              isRemovable={cards.length > 1}
              onChange={(next) => change({ cards: next })}
            />
          </Group>
          <Stack gap="sm">
            <MediaField
              label={cardFormat === 'IMAGE' ? 'Sample image' : 'Sample video'}
              format={cardFormat}
              channelId={channel_id}
              isSample
              hasFile={card.handle !== ''}
              value={card.file}
              error={errors[`cards.${i}.handle`]}
              onChange={(file, media) => set(i, { file, handle: media?.handle ?? '' })}
            />
            <MessageField
              label="Text"
              value={card.text}
              error={errors[`cards.${i}.text`]}
              most={limits.cardText}
              onChange={(text) => set(i, { text })}
            />
            {cardButtons.map((type, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a card's buttons have fixed places
              <div key={at}>
                <Text size="xs" c="dimmed" mb={4}>
                  {buttonKinds[type].label}
                </Text>
                <ButtonFields
                  button={{ ...(card.buttons[at] ?? newButton(type)), type }}
                  errors={errors}
                  at={`cards.${i}.buttons.${at}`}
                  change={(members) => {
                    const next = cardButtons.map((own, each) => card.buttons[each] ?? newButton(own))
                    set(i, {
                      buttons: next.map((button, each) => (each === at ? { ...button, ...members } : button)),
                    })
                  }}
                />
              </div>
            ))}
          </Stack>
        </Card>
      ))}
      <AddButton
        disabled={cards.length >= limits.cards}
        onClick={() => change({ cards: [...cards, newCard(cardButtons)] })}
      >
        Add card
      </AddButton>
    </Stack>
  )
}
