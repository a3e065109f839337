import { ApiError, ValidationError } from '@frontdesk/sdk'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { errorText } from '../ui/error-text.ts'

interface ApiFormOptions<Values> {
  initialValues: Values
  /** Throws the error of the API. */
  submit(values: Values): Promise<void>
  /** A clearer message for an error than the API's own. */
  explain?(error: ApiError): string | undefined
  /**
   * The form field that an error of the API belongs to, if it is not the field of the same name. A place within a field
   * is written with dots, `tools.0.url`, and read with `errorAt`.
   */
  fieldOf?(loc: string[], values: Values): string | undefined
  /** Checks before the request: messages by field. */
  check?(values: Values): Record<string, string>
}

/** Errors found by the console itself, shown like errors of the API. */
export class FormFaults extends Error {
  readonly faults: { loc: string[]; msg: string }[]
  constructor(faults: { loc: string[]; msg: string }[]) {
    super(faults.map(({ msg }) => msg).join('; '))
    this.faults = faults
  }
}

/** A form that shows the errors of the API at their fields. */
export function useApiForm<Values extends object>(options: ApiFormOptions<Values>) {
  const [values, setValues] = useState(options.initialValues)
  const [errors, setErrors] = useState<Record<string, string | undefined>>({})
  const [problems, setProblems] = useState<string[]>([])
  const [isWorking, setWorking] = useState(false)
  const [isDirty, setDirty] = useState(false)
  /** Fields edited while a request is in flight: its errors are about their earlier values. */
  const edited = useRef(new Set<string>())
  const [refused, setRefused] = useState<{ form: EventTarget }>()

  // The first invalid field may be out of sight in a long form.
  useEffect(() => {
    const place = refused && firstFaulty(refused.form)
    place?.scrollIntoView({ block: 'center' })
    place?.focus({ preventScroll: true })
  }, [refused])

  function set<K extends keyof Values>(name: K, value: Values[K]) {
    edited.current.add(String(name))
    setValues((current) => ({ ...current, [name]: value }))
    setErrors((current) =>
      Object.fromEntries(Object.entries(current).filter(([at]) => at !== name && !at.startsWith(`${String(name)}.`))),
    )
    setDirty(true)
  }

  async function submit(form?: EventTarget): Promise<boolean> {
    edited.current.clear()
    setWorking(true)
    setProblems([])
    setErrors({})
    const found = options.check?.(values) ?? {}
    if (Object.keys(found).length > 0) {
      setErrors(found)
      setWorking(false)
      if (form) setRefused({ form })
      return false
    }
    try {
      await options.submit(values)
      setDirty(edited.current.size > 0)
      return true
    } catch (error) {
      const { located, general } = read(error, values, options)
      const still = Object.entries(located).filter(([at]) => !edited.current.has(at.split('.')[0] as string))
      setErrors(Object.fromEntries(still))
      const isOvertaken = still.length === 0 && general.length === 0
      setProblems(isOvertaken ? ['You changed the form while it was being saved. Save it again.'] : general)
      // The focus does not move while the form is being edited.
      if (form && edited.current.size === 0) setRefused({ form })
      return false
    } finally {
      setWorking(false)
    }
  }

  return {
    values,
    errors,
    problems,
    isWorking,
    isDirty,
    set,
    submit: () => submit(),
    /** Takes over the saved record but keeps fields edited since, which remain unsaved. */
    adopt(next: Values) {
      const keep = ([name]: [string, unknown]) => edited.current.has(name)
      setValues((current) => ({ ...next, ...Object.fromEntries(Object.entries(current).filter(keep)) }))
    },
    reset(next: Values = options.initialValues) {
      edited.current.clear()
      setValues(next)
      setErrors({})
      setProblems([])
      setDirty(false)
    },
    onSubmit(event: FormEvent) {
      event.preventDefault()
      void submit(event.currentTarget)
    },
    errorAt: (place: string) => errors[place],
    /** Props for text inputs. */
    field<K extends keyof Values>(name: K) {
      return {
        name: String(name),
        value: values[name] as string,
        error: errors[name as string],
        onChange: (event: { currentTarget: { value: string } }) => set(name, event.currentTarget.value as Values[K]),
      }
    },
    /** Props for inputs whose onChange receives the value itself. */
    control<K extends keyof Values>(name: K) {
      return {
        name: String(name),
        value: values[name],
        error: errors[name as string],
        onChange: (value: unknown) => set(name, value as Values[K]),
      }
    },
  }
}

const firstFaulty = (form: EventTarget) =>
  form instanceof HTMLElement
    ? (form.querySelector<HTMLElement>('[aria-invalid="true"]') ?? form.querySelector<HTMLElement>('[role="alert"]'))
    : null

function read<Values extends object>(error: unknown, values: Values, options: ApiFormOptions<Values>) {
  const located: Record<string, string> = {}
  const explained = error instanceof ApiError ? options.explain?.(error) : undefined
  if (explained) return { located, general: [explained] }
  const isLocated = error instanceof ValidationError || error instanceof FormFaults
  if (!isLocated || error.faults.length === 0) return { located, general: [errorText(error)] }
  const general: string[] = []
  for (const { loc, msg } of error.faults) {
    const name = options.fieldOf?.(loc, values) ?? loc.find((part) => part in values)
    if (name !== undefined && (name.split('.')[0] as string) in values)
      located[name] = located[name] ? `${located[name]}\n${msg}` : msg
    else general.push(`${loc.slice(1).join('.')}: ${msg}`)
  }
  return { located, general }
}
