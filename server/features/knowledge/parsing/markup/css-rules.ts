import { descendants, isElement, type MarkupElement, textOf } from './read-markup.ts'

export type Styles = Map<string, string>

/** A part of a selector between two combinators, e.g. `p.note[lang]`. */
interface Compound {
  name: string | undefined
  id: string | undefined
  classes: string[]
  attributes: [name: string, value: string | undefined][]
  /** Whether the next part, to its left, has to be the parent; otherwise any ancestor will do. */
  isChild: boolean
}

interface Rule {
  /** The rightmost first. */
  compounds: [Compound, ...Compound[]]
  specificity: number
  /** Its place on the page: of equally specific rules the last one wins. */
  index: number
  styles: Styles
  important: Styles
}

/** The rules that a page contains. Style sheets elsewhere are not loaded. */
export interface EmbeddedRules {
  /** By the id, a class or the name that the element itself must have, in the order of the page. */
  byKey: Map<string, Rule[]>
  parents: Map<MarkupElement, MarkupElement>
}

const maxRules = 5000

/** Reads rules that set one of these properties. */
export function embeddedRules(tree: MarkupElement, isWanted: (property: string) => boolean): EmbeddedRules {
  const byKey: EmbeddedRules['byKey'] = new Map()
  let count = 0
  for (const style of descendants(tree, 'style'))
    for (const [selectors, body] of rulesOf(textOf(style).replace(/\/\*[\s\S]*?(?:\*\/|$)/g, ''), 0)) {
      const declared = parseStyles(body, isWanted)
      if (declared.styles.size + declared.important.size === 0) continue
      for (const selector of selectors.split(',')) {
        const compounds = compoundsOf(selector.trim())
        if (!compounds || count >= maxRules) continue
        const key = keyOf(compounds[0])
        const known = byKey.get(key) ?? []
        known.push({ compounds, specificity: specificityOf(compounds), index: count++, ...declared })
        byKey.set(key, known)
      }
    }
  const parents: EmbeddedRules['parents'] = new Map()
  const isNested = [...byKey.values()].some((rules) => rules.some(({ compounds }) => compounds.length > 1))
  if (isNested) noteParents(tree, parents)
  return { byKey, parents }
}

function noteParents(element: MarkupElement, parents: EmbeddedRules['parents']): void {
  for (const node of element.children)
    if (isElement(node)) {
      parents.set(node, element)
      noteParents(node, parents)
    }
}

/** Media that a person looks at, and blocks that any current browser applies. Others hold only sometimes. */
const alwaysHolds = /^@(?:media(?:\s+(?:only\s+)?(?:all|screen))?|layer\b[^{]*|supports(?!\s+not\b)[^{]*)$/i
const maxNesting = 4

function* rulesOf(css: string, depth: number): Generator<[selectors: string, body: string]> {
  for (let at = 0, open = css.indexOf('{'); open >= 0; open = css.indexOf('{', at)) {
    const before = css.slice(at, open)
    // A statement without a block, such as an import, ends with a semicolon.
    const prelude = before.slice(before.lastIndexOf(';') + 1).trim()
    const close = endOfBlock(css, open)
    const body = css.slice(open + 1, close)
    at = close + 1
    if (!prelude.startsWith('@')) yield [prelude, beforeNested(body)]
    else if (depth < maxNesting && alwaysHolds.test(prelude)) yield* rulesOf(body, depth + 1)
  }
}

/** Rules may be nested after the declarations; those are not read. */
function beforeNested(body: string): string {
  const nested = body.indexOf('{')
  return nested < 0 ? body : body.slice(0, body.lastIndexOf(';', nested) + 1)
}

function endOfBlock(css: string, open: number): number {
  let depth = 0
  for (let at = open; at < css.length; at++) {
    if (css[at] === '{') depth++
    else if (css[at] === '}' && --depth === 0) return at
  }
  return css.length
}

function parseStyles(text: string, isWanted: (property: string) => boolean) {
  const [styles, important]: [Styles, Styles] = [new Map(), new Map()]
  for (const declaration of text.split(';')) {
    const colon = declaration.indexOf(':')
    const property = declaration.slice(0, Math.max(0, colon)).trim().toLowerCase()
    if (!isWanted(property)) continue
    const value = declaration
      .slice(colon + 1)
      .trim()
      .toLowerCase()
    const plain = value.replace(/!\s*important$/, '').trimEnd()
    ;(plain === value ? styles : important).set(property, plain)
  }
  return { styles, important }
}

const longestSelector = 200

/** Undefined for selectors of other kinds, such as those of pseudo-classes and siblings. */
function compoundsOf(selector: string): Rule['compounds'] | undefined {
  if (selector.length > longestSelector) return undefined
  const compounds: Compound[] = []
  let isChild = false
  for (const part of selector.replace(/\s*>\s*/g, ' > ').split(/\s+/)) {
    if (part === '>') {
      isChild = true
      continue
    }
    const compound = compoundOf(part, isChild)
    if (!compound) return undefined
    compounds.unshift(compound)
    isChild = false
  }
  const [own, ...outer] = compounds
  return own && !isChild ? [own, ...outer] : undefined
}

const pieces =
  /^([\w\u0080-\uffff-]+|\*)|\.([\w\u0080-\uffff-]+)|#([\w\u0080-\uffff-]+)|\[\s*([\w-]+)\s*(?:=\s*["']?([^"'\]]*)["']?\s*)?\]/g

function compoundOf(part: string, isChild: boolean): Compound | undefined {
  const compound: Compound = { name: undefined, id: undefined, classes: [], attributes: [], isChild }
  let read = 0
  for (const [whole, name, className, id, attribute, value] of part.matchAll(pieces)) {
    read += whole.length
    if (name) compound.name = name === '*' ? undefined : name.toLowerCase()
    else if (className) compound.classes.push(className)
    else if (id) compound.id = id
    else if (attribute) compound.attributes.push([attribute.toLowerCase(), value])
  }
  return read === part.length && read > 0 ? compound : undefined
}

const keyOf = ({ id, classes: [first], name }: Compound): string =>
  id !== undefined ? `#${id}` : first !== undefined ? `.${first}` : (name ?? '*')

const specificityOf = (compounds: Compound[]): number =>
  compounds.reduce(
    (sum, { id, classes, attributes, name }) =>
      sum + (id === undefined ? 0 : 10_000) + 100 * (classes.length + attributes.length) + (name === undefined ? 0 : 1),
    0,
  )

/** What applies to an element: its own styles before those of rules, important ones before all others. */
export function stylesOf(
  element: MarkupElement,
  { byKey, parents }: EmbeddedRules,
  isWanted: (property: string) => boolean,
): Styles {
  const own = element.attributes.style ? parseStyles(element.attributes.style, isWanted) : undefined
  if (byKey.size === 0) return own ? new Map([...own.styles, ...own.important]) : new Map()
  const rules = keysOf(element)
    .flatMap((key) => byKey.get(key) ?? [])
    .filter(({ compounds }) => matches(element, compounds, parents))
    .sort((a, b) => a.specificity - b.specificity || a.index - b.index)
  return new Map([
    ...rules.flatMap(({ styles }) => [...styles]),
    ...(own?.styles ?? []),
    ...rules.flatMap(({ important }) => [...important]),
    ...(own?.important ?? []),
  ])
}

const classesOf = ({ attributes }: MarkupElement): string[] => (attributes.class ?? '').split(/\s+/).filter(Boolean)

const keysOf = (element: MarkupElement): string[] => [
  '*',
  element.name,
  ...new Set(classesOf(element).map((each) => `.${each}`)),
  ...(element.attributes.id === undefined ? [] : [`#${element.attributes.id}`]),
]

function matches(element: MarkupElement, compounds: Rule['compounds'], parents: EmbeddedRules['parents']): boolean {
  let at: MarkupElement | undefined = element
  /** The current group of parts joined by `>`: the index of its first part, and the element tried for that part. */
  let first = 0
  let start: MarkupElement | undefined = element
  for (let i = 0; i < compounds.length; ) {
    const compound = compounds[i] as Compound
    if (!at) return false
    if (fits(at, compound)) {
      i++
      at = parents.get(at)
      if (!compound.isChild) [first, start] = [i, at]
    } else {
      // Only this group is tried again, further out: the nearest match of those before leaves it the most ancestors.
      if (first === 0 || !start) return false
      start = parents.get(start)
      ;[i, at] = [first, start]
    }
  }
  return true
}

function fits(element: MarkupElement, { name, id, classes, attributes }: Compound): boolean {
  if (name !== undefined && name !== element.name) return false
  if (id !== undefined && id !== element.attributes.id) return false
  const own = classes.length > 0 ? classesOf(element) : []
  return (
    classes.every((each) => own.includes(each)) &&
    attributes.every(([key, value]) =>
      value === undefined ? element.attributes[key] !== undefined : element.attributes[key] === value,
    )
  )
}
