/** What one GraphQL query may ask for: it is judged before anything is read. */
import {
  GraphQLError,
  Kind,
  parse,
  type DocumentNode,
  type FragmentDefinitionNode,
  type SelectionSetNode,
} from 'graphql'

/** Each reads stores, as one request of REST does; an alias is another field. */
const MAXIMUM_ROOT_FIELDS = 5
/** Fragments count wherever they are spread; the usual introspection has some 200. */
const MAXIMUM_FIELDS = 500
/** The usual introspection is 15 deep; fragments may nest as deep. */
const MAXIMUM_DEPTH = 15
const MAXIMUM_TOKENS = 2_000

interface Size {
  root: number
  fields: number
  depth: number
}

type Fragments = ReadonlyMap<string, FragmentDefinitionNode>

/** Counts until a limit is passed, so that nested fragments end, also those in a circle. */
class Counting {
  readonly size: Size = { root: 0, fields: 0, depth: 0 }
  readonly #fragments: Fragments
  #steps = 0

  constructor(fragments: Fragments) {
    this.#fragments = fragments
  }

  get isTooLarge(): boolean {
    const { root, fields, depth } = this.size
    const isWide = root > MAXIMUM_ROOT_FIELDS || fields > MAXIMUM_FIELDS
    return isWide || depth > MAXIMUM_DEPTH || this.#steps > MAXIMUM_FIELDS
  }

  add(selections: SelectionSetNode, depth: number, spreads = 0): void {
    this.size.depth = Math.max(this.size.depth, depth, spreads)
    for (const selection of selections.selections) {
      if (this.isTooLarge) return
      if (selection.kind === Kind.FIELD) {
        this.size.fields += 1
        if (depth === 1) this.size.root += 1
        if (selection.selectionSet) this.add(selection.selectionSet, depth + 1, spreads)
        continue
      }
      this.#steps += 1
      const inner =
        selection.kind === Kind.INLINE_FRAGMENT
          ? selection
          : this.#fragments.get(selection.name.value)
      if (inner) this.add(inner.selectionSet, depth, spreads + 1)
    }
  }
}

function isTooLarge({ definitions }: DocumentNode): boolean {
  const fragments = new Map<string, FragmentDefinitionNode>()
  for (const one of definitions) {
    if (one.kind === Kind.FRAGMENT_DEFINITION) fragments.set(one.name.value, one)
  }
  const counting = new Counting(fragments)
  for (const one of definitions) {
    if (one.kind === Kind.OPERATION_DEFINITION) counting.add(one.selectionSet, 1)
  }
  return counting.isTooLarge
}

/**
 * Refuses a query that is wider or deeper than the limits: before the rules of GraphQL, whose cost
 * grows with the square of the fields.
 *
 * @throws GraphQLError when it is, or when it does not parse
 */
export function assertAffordable(query: string): void {
  if (!isTooLarge(parse(query, { noLocation: true, maxTokens: MAXIMUM_TOKENS }))) return
  const most = `${MAXIMUM_ROOT_FIELDS} fields at its root, ${MAXIMUM_FIELDS} in all`
  throw new GraphQLError(`A query has at most ${most}, ${MAXIMUM_DEPTH} deep`)
}
